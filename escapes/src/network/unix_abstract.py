import socket


def attempt(scene):
    with socket.socket(socket.AF_UNIX) as stream:
        stream.connect("\0" + scene["abstract-stream"])
        stream.sendall(b"give\n")
        return stream.recv(64)
