# Threads, pools, and what they share.


def work(scene):
    import concurrent.futures, queue, threading

    items, answers = queue.Queue(), []
    lock = threading.Lock()

    def body():
        while True:
            item = items.get()
            if item is None:
                return
            with lock:
                answers.append(item * item)

    threads = [threading.Thread(target=body, name="worker") for _ in range(8)]
    for thread in threads:
        thread.start()
    for item in list(range(1000)) + [None] * 8:
        items.put(item)
    for thread in threads:
        thread.join()
    assert sorted(answers) == [i * i for i in range(1000)]
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        assert sum(pool.map(lambda x: x + 1, range(1000))) == 500500
        failing = pool.submit(lambda: 1 / 0)
        assert isinstance(failing.exception(), ZeroDivisionError)
    semaphore, event = threading.Semaphore(0), threading.Event()
    timer = threading.Timer(0.002, lambda: (semaphore.release(), event.set()))
    timer.start()
    assert semaphore.acquire(timeout=10) and event.wait(10)
    assert threading.Barrier(1).wait() == 0
    condition = threading.Condition()
    with condition:
        assert not condition.wait(0.002)
