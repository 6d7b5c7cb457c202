def attempt(scene):
    os.fchmod(int(scene["inherited-secret"]), 0o640)
