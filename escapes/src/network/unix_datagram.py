import socket


def attempt(scene):
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as sender:
        sender.sendto(scene.nonce.encode(), scene["unix-datagram"])
