def attempt(scene):
    import fcntl

    with open(scene["writable"], "rb") as file:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        scene.show("lock")
