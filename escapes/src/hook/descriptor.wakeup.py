def attempt(scene):
    import signal

    descriptor = int(scene["inherited-write"])
    blocking = os.get_blocking(descriptor)
    os.set_blocking(descriptor, False)
    before = signal.signal(signal.SIGUSR1, lambda number, frame: None)
    try:
        signal.set_wakeup_fd(descriptor)
        signal.raise_signal(signal.SIGUSR1)
        signal.set_wakeup_fd(-1)
    finally:
        signal.signal(signal.SIGUSR1, before)
        os.set_blocking(descriptor, blocking)
