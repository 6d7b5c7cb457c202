import socket


def attempt(scene):
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as sender:
        sender.sendmsg([scene.nonce.encode()], [], 0, scene["unix-datagram"])
