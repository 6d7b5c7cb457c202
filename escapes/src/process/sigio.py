import fcntl, socket


def attempt(scene):
    near, far = socket.socketpair()
    fcntl.fcntl(near, fcntl.F_SETOWN, int(scene["victim"]))
    fcntl.fcntl(near, fcntl.F_SETFL, os.O_ASYNC)
    far.sendall(b"!")
