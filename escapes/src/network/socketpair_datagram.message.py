import socket


def attempt(scene):
    sender, other = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
    sender.sendmsg([scene.nonce.encode()], [], 0, scene["unix-datagram"])
