def attempt(scene):
    with open(scene.run + "/copy", "wb") as own:
        os.sendfile(own.fileno(), int(scene["inherited-secret"]), 0, 4096)
