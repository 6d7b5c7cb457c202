def attempt(scene):
    program, alive = os.pipe()
    if os.fork() == 0:
        try:
            os.close(alive)
            os.setsid()
            if os.fork() == 0:
                for standard in range(3):
                    os.close(standard)
                os.read(program, 1)
                live(scene)
        finally:
            os._exit(0)
