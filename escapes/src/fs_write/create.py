def attempt(scene):
    open(scene["outside"] + "/new", "xb").close()
