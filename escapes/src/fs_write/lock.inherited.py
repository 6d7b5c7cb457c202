def attempt(scene):
    import fcntl

    fcntl.flock(int(scene["inherited-write"]), fcntl.LOCK_EX | fcntl.LOCK_NB)
    scene.show("lock")
