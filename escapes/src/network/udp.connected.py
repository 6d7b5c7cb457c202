import socket


def attempt(scene):
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
        sender.connect(("127.0.0.1", int(scene["udp4"])))
        os.write(sender.fileno(), scene.nonce.encode())
