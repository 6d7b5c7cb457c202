import signal


def attempt(scene):
    os.kill(int(scene["victim"]), signal.SIGUSR1)
