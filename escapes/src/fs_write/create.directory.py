def attempt(scene):
    os.mkdir(scene["outside"] + "/new")
