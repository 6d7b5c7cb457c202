def attempt(scene):
    os.symlink("/dev/null", scene["outside"] + "/new")
