import signal


def attempt(scene):
    signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
    until_seen(scene)
