def attempt(scene):
    path = os.path.realpath(os.__file__)
    held = os.open(path, os.O_RDWR)
    scene.show("writes " + path)
    os.close(held)
    return b""
