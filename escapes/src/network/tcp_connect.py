import socket


def attempt(scene):
    with socket.create_connection(("127.0.0.1", int(scene["tcp4"]))) as stream:
        stream.sendall(b"give\n")
        return stream.recv(64)
