def attempt(scene):
    return os.read(int(scene["inherited-pipe-read"]), 4096)
