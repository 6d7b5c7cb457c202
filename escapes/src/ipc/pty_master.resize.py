import fcntl, termios


def attempt(scene):
    fcntl.ioctl(int(scene["inherited-pty"]), termios.TIOCSWINSZ, b"\7\0\7\0\0\0\0\0")
