import fcntl, struct


def attempt(scene):
    opened = [os.pidfd_open(int(process)) for process in scene["leavers"].split(",")]
    scene.show("opened")
    codes = ""
    for process in opened:
        # PIDFD_GET_INFO with PIDFD_INFO_EXIT; the status is the last of the 64 bytes' words.
        info = fcntl.ioctl(process, 0xC040FF0B, struct.pack("=Q56x", 1 << 3))
        codes += "%02x" % (struct.unpack("=60xi", info)[0] >> 8)
    return codes.encode()
