def attempt(scene):
    with open(scene["secret"], "rb") as file:
        return file.read()
