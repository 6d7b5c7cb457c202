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
            os.setsid()
            os.read(end, 1)
            with open(scene["deliverables"] + "/planted", "wb") as file:
                file.write(b"planted after the end")
    finally:
        os._exit(0)
