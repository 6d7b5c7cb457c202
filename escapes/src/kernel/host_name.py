import socket


def attempt(scene):
    socket.sethostname(socket.gethostname())
