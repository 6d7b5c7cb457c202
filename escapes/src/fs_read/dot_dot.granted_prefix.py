def attempt(scene):
    with open(scene.run + "/.." * 64 + scene["secret"], "rb") as file:
        return file.read()
