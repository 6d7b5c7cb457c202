import fcntl, termios


def attempt(scene):
    terminal = int(scene["inherited-terminal"])
    fcntl.ioctl(terminal, termios.TIOCSCTTY, 0)
    for key in b"id\n":
        fcntl.ioctl(terminal, termios.TIOCSTI, bytes([key]))
