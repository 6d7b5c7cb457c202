def attempt(scene):
    with open(scene["writable"], "r+b") as file:
        file.write(b"changed")
