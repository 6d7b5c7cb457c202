# Pools and servers of processes work, or fail at once with OSError, and the program goes on.


def work(scene):
    import concurrent.futures, multiprocessing, multiprocessing.pool, sys

    # A process that starts anew would play this text again.
    del sys.modules["__main__"].__file__
    for act in (pool, executor, process, server):
        try:
            act(multiprocessing, concurrent.futures)
        except (OSError, ImportError):  # The audit hook refuses a module.
            pass
    assert multiprocessing.current_process().name == "MainProcess"
    assert not multiprocessing.active_children()


def pool(multiprocessing, futures):
    with multiprocessing.get_context("fork").Pool(1) as workers:
        assert workers.map(abs, [-1, -2]) == [1, 2]
        workers.close()
        workers.join()


def executor(multiprocessing, futures):
    context = multiprocessing.get_context("fork")
    with futures.ProcessPoolExecutor(1, mp_context=context) as workers:
        assert workers.submit(abs, -3).result() == 3


def process(multiprocessing, futures):
    child = multiprocessing.get_context("fork").Process(target=abs, args=(-1,))
    child.start()
    child.join()
    assert child.exitcode == 0


def server(multiprocessing, futures):
    """The way of Python 3.14: a server that listens at a socket in the file system."""
    child = multiprocessing.get_context("forkserver").Process(target=abs, args=(-1,))
    child.start()
    child.join()
    assert child.exitcode == 0
