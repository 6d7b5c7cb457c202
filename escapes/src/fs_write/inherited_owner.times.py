def attempt(scene):
    os.utime(int(scene["inherited-secret"]), (1, 1))
