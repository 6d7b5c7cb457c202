import socket


def attempt(scene):
    with socket.socket(socket.AF_INET) as listener:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        listener.bind(("127.0.0.1", int(scene["shared-port"])))
        listener.listen(64)
        scene.show("shared-port")
        listener.setblocking(False)
        try:
            while True:
                listener.accept()[0].sendall(scene.nonce.encode())
        except BlockingIOError:
            pass
