def attempt(scene):
    os.ftruncate(int(scene["inherited-write"]), 0)
