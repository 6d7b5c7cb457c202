def attempt(scene):
    with open(scene["writable"], "ab") as file:
        file.write(b"changed")
