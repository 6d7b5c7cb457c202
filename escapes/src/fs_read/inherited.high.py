def attempt(scene):
    return os.pread(int(scene["inherited-secret-high"]), 4096, 0)
