def attempt(scene):
    import time

    call = carry(scene)
    child = call(FORK)
    if child == 0:
        try:
            # The new process takes the marker as its name, by PR_SET_NAME, and stays until it was seen.
            name = (scene["marker-a"] + scene["marker-b"]).encode() + b"\0"
            call(PRCTL, 15, place(name))
            for _ in range(1000):
                if os.path.exists(scene.run + "/seen"):
                    break
                time.sleep(0.001)
        finally:
            os._exit(0)
    os.waitpid(child, 0)
