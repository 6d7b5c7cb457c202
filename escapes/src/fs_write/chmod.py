def attempt(scene):
    os.chmod(scene["writable"], 0o640)
