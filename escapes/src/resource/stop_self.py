import signal


def attempt(scene):
    os.kill(os.getpid(), signal.SIGSTOP)
    until_seen(scene)
