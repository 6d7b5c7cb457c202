import socket


def attempt(scene):
    with socket.socket(socket.AF_INET) as stream:
        fast_open = getattr(socket, "MSG_FASTOPEN", 0x20000000)
        stream.sendto(scene.nonce.encode(), fast_open, ("127.0.0.1", int(scene["tcp4"])))
