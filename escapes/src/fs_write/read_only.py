def attempt(scene):
    # A module of the interpreter's library, which every program may read.
    path = os.path.realpath(os.__file__)
    held = os.open(path, os.O_WRONLY)
    scene.show("writes " + path)
    os.close(held)
    return b""
