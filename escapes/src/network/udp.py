import socket


def attempt(scene):
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
        sender.sendto(scene.nonce.encode(), ("127.0.0.1", int(scene["udp4"])))
