import socket


def attempt(scene):
    with socket.socket(socket.AF_INET6) as stream:
        stream.connect(("::ffff:127.0.0.1", int(scene["tcp4"])))
        stream.sendall(b"give\n")
        return stream.recv(64)
