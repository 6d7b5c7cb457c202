def attempt(scene):
    os.chown(scene["writable"], os.getuid(), -1)
