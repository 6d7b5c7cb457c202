import socket


def attempt(scene):
    with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as stream:
        stream.connect(scene["unix-seqpacket"])
        stream.send(b"give\n")
        return stream.recv(64)
