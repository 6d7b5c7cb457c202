import socket


def attempt(scene):
    with socket.socket(socket.AF_INET6) as stream:
        stream.connect(("::1", int(scene["tcp6"])))
        stream.sendall(b"give\n")
        return stream.recv(64)
