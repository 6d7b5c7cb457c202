import signal


def attempt(scene):
    # One power of this size is one call of C that looks at no signal.
    for number in (signal.SIGTERM, signal.SIGXCPU):
        signal.signal(number, signal.SIG_IGN)
    until_seen(scene, lambda: 3**100_000)
