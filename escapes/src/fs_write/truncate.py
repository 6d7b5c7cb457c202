def attempt(scene):
    os.truncate(scene["writable"], 0)
