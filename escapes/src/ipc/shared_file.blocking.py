def attempt(scene):
    os.set_blocking(int(scene["inherited-log"]), False)
