import signal


def attempt(scene):
    os.killpg(int(scene["victim"]), signal.SIGUSR1)
