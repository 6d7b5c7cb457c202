import socket


def attempt(scene):
    sender, other = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
    sender.sendto(scene.nonce.encode(), scene["unix-datagram"])
