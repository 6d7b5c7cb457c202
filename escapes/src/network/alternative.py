import socket


def attempt(scene):
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM, getattr(socket, "IPPROTO_MPTCP", 262)) as stream:
        stream.connect(("127.0.0.1", int(scene["tcp4"])))
        stream.sendall(b"give\n")
        return stream.recv(64)
