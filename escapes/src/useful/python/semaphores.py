# Locks that processes could share work, or fail at once with OSError, and the program goes on.


def work(scene):
    import multiprocessing, threading

    try:
        lock = multiprocessing.Lock()
    except OSError:
        lock = threading.Lock()
    with lock:
        pass
    try:
        import multiprocessing.shared_memory as shared

        block = shared.SharedMemory(create=True, size=4096)
        block.close()
        block.unlink()
    except (OSError, ImportError):  # The audit hook refuses the module.
        pass
    import multiprocessing.pool

    # Its threads talk through a pipe that is guarded by such a lock.
    try:
        with multiprocessing.pool.ThreadPool(2) as pool:
            assert pool.map(abs, [-1, -2]) == [1, 2]
    except OSError:
        pass
    assert multiprocessing.cpu_count() >= 1
