import socket


def attempt(scene):
    with socket.socket(socket.AF_VSOCK):
        scene.show("socket %d" % socket.AF_VSOCK)
