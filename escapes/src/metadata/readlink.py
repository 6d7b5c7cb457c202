def attempt(scene):
    return os.fsencode(os.readlink(scene["link"]))
