import socket


def attempt(scene):
    socket.sethostname(socket.gethostname())
    scene.show("name set")
