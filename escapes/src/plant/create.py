def attempt(scene):
    with open(scene["deliverables"] + "/planted", "wb") as file:
        file.write(b"planted")
