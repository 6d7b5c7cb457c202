import fcntl, struct


def attempt(scene):
    fcntl.ioctl(int(scene["inherited-volume"]), 0x8004587D, struct.pack("=I", 2))
