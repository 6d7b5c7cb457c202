def attempt(scene):
    with open(scene["foreign"], "rb") as file:
        return file.read()
