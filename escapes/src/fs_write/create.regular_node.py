def attempt(scene):
    os.mknod(scene["outside"] + "/new", 0o100600)
