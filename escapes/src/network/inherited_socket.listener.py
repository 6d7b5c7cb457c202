import socket


def attempt(scene):
    listener = socket.socket(fileno=int(scene["inherited-listener"]))
    listener.accept()[0].sendall(scene.nonce.encode())
