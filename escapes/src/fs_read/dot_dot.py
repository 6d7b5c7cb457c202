def attempt(scene):
    with open("." + "/.." * 64 + scene["secret"], "rb") as file:
        return file.read()
