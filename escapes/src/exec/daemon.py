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
                # Whoever ends with the program is given the moment that this takes.
                time.sleep(0.05)
                live(scene)
        finally:
            os._exit(0)
