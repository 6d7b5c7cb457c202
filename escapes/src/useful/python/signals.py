# Signals of the program to itself, timers, and waiting with a selector.


def work(scene):
    import os, select, selectors, signal, threading, time

    came = []
    signal.signal(signal.SIGUSR1, lambda number, frame: came.append(number))
    os.kill(os.getpid(), signal.SIGUSR1)
    signal.raise_signal(signal.SIGUSR1)
    signal.pthread_kill(threading.get_ident(), signal.SIGUSR1)
    wait_for(lambda: len(came) == 3, time)
    signal.signal(signal.SIGALRM, lambda number, frame: came.append("alarm"))
    signal.setitimer(signal.ITIMER_REAL, 0.002)
    wait_for(lambda: "alarm" in came, time)
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGUSR2})
    os.kill(os.getpid(), signal.SIGUSR2)
    assert signal.sigwait({signal.SIGUSR2}) == signal.SIGUSR2
    receiver, sender = os.pipe()
    with selectors.DefaultSelector() as selector:
        selector.register(receiver, selectors.EVENT_READ)
        assert selector.select(0.001) == []
        os.write(sender, b"x")
        assert len(selector.select(10)) == 1
    assert select.select([receiver], [sender], [], 0)[:2] == ([receiver], [sender])
    signal.set_wakeup_fd(-1)


def wait_for(condition, time):
    end = time.monotonic() + 10
    while not condition():
        assert time.monotonic() < end, "a signal did not come"
        time.sleep(0.0005)
