def attempt(scene):
    return os.read(int(scene["inherited-secret"]), 4096)
