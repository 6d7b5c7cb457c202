import array, socket


def attempt(scene):
    with socket.socket(socket.AF_UNIX) as stream:
        stream.connect(scene["giver"])
        scene.show("giver")
        control = stream.recvmsg(1, socket.CMSG_SPACE(4), socket.MSG_DONTWAIT)[1]
        descriptors = array.array("i")
        descriptors.frombytes(control[0][2][:4])
        return os.read(descriptors[0], 64)
