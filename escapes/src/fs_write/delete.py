def attempt(scene):
    os.remove(scene["writable"])
