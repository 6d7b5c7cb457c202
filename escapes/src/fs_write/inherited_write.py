def attempt(scene):
    os.write(int(scene["inherited-write"]), b"changed")
