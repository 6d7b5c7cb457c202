# Signals in the middle of calls, and pipes that nobody reads.


def work(scene):
    import errno, os, signal, time

    receiver, sender = os.pipe()
    came = []

    def arrive(number, frame):
        came.append(number)
        if len(came) == 3:
            os.write(sender, b"x")

    # The call is interrupted three times and goes on by itself, without data until the third.
    signal.signal(signal.SIGALRM, arrive)
    signal.setitimer(signal.ITIMER_REAL, 0.002, 0.002)
    assert os.read(receiver, 1) == b"x" and len(came) >= 3
    start = time.monotonic()
    time.sleep(0.01)
    assert time.monotonic() - start >= 0.01
    signal.setitimer(signal.ITIMER_REAL, 0)

    class Woken(Exception):
        pass

    def wake(number, frame):
        raise Woken

    # What a handler raises ends the call.
    signal.signal(signal.SIGALRM, wake)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.002)
        os.read(receiver, 1)
        raise AssertionError("nobody wrote, and something was read")
    except Woken:
        pass
    os.close(receiver)
    try:
        os.write(sender, b"x")
        raise AssertionError("nobody reads, and something was written")
    except BrokenPipeError as error:
        assert error.errno == errno.EPIPE
    broken = []
    signal.signal(signal.SIGPIPE, lambda number, frame: broken.append(number))
    try:
        os.write(sender, b"x")
    except BrokenPipeError:
        pass
    end = time.monotonic() + 10
    while not broken:
        assert time.monotonic() < end, "the signal of a broken pipe did not come"
