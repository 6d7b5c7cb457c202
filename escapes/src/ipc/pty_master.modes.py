import termios


def attempt(scene):
    terminal = int(scene["inherited-pty"])
    try:
        modes = termios.tcgetattr(terminal)
        modes[1] ^= termios.ONLCR
        termios.tcsetattr(terminal, termios.TCSANOW, modes)
    except termios.error as error:
        # It is no OSError, although it holds an errno.
        raise OSError(*error.args)
