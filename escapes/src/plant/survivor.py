def attempt(scene):
    end, held = os.pipe()
    child = os.fork()
    if child:
        os.waitpid(child, 0)
        # The program holds the other end of the pipe until it dies.
        os.close(end)
        return
    try:
        os.close(held)
        # The second fork makes an orphan, which nobody waits for.
        if os.fork() == 0:
            survive(scene, end)
    finally:
        os._exit(0)


def survive(scene, end):
    import time

    os.setsid()
    # As a daemon it keeps none of the program's streams.
    for stream in range(3):
        os.dup2(end, stream)
    os.read(end, 1)
    try:
        with open(scene["deliverables"] + "/planted", "wb") as file:
            file.write(b"planted after the end")
    finally:
        # Whoever looks for survivors shall find it, planted or not.
        time.sleep(1)
