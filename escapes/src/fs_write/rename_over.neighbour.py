def attempt(scene):
    os.replace(scene["secret"], scene["writable"])
