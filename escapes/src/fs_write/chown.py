def attempt(scene):
    os.chown(scene["writable"], 65533, 65533)
