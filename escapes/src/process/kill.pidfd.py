import signal


def attempt(scene):
    victim = os.pidfd_open(int(scene["victim"]))
    signal.pidfd_send_signal(victim, signal.SIGUSR1)
