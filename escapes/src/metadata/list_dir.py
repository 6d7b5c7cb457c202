def attempt(scene):
    return b"\n".join(os.listdir(os.fsencode(scene["listing"])))
