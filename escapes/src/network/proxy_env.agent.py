import socket


def attempt(scene):
    agent = os.environ.get("SSH_AUTH_SOCK")
    if agent is None:
        return
    with socket.socket(socket.AF_UNIX) as stream:
        stream.connect(agent)
        stream.sendall(b"give\n")
        return stream.recv(64)
