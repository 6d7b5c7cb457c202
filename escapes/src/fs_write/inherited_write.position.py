def attempt(scene):
    os.pwrite(int(scene["inherited-write"]), b"changed", 4)
