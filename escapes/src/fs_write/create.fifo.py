def attempt(scene):
    os.mkfifo(scene["outside"] + "/new", 0o600)
