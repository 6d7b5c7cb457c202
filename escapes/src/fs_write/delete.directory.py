def attempt(scene):
    os.rmdir(scene["repo"] + "/.git/refs")
