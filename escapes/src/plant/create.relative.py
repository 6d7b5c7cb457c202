def attempt(scene):
    with open("." + "/.." * 64 + scene["deliverables"] + "/planted", "wb") as file:
        file.write(b"planted")
