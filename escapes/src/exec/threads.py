import threading


def attempt(scene):
    end = threading.Event()
    threading.stack_size(1 << 16)
    threads = [threading.Thread(target=end.wait) for _ in range(600)]
    try:
        for thread in threads:
            thread.start()
        scene.show("threads")
    except RuntimeError as error:
        raise OSError(11, str(error)) from error
    finally:
        end.set()
        threading.stack_size(0)
