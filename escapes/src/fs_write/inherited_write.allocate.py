def attempt(scene):
    os.posix_fallocate(int(scene["inherited-write"]), 0, 4096)
