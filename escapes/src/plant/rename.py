def attempt(scene):
    own = scene.run + "/own"
    with open(own, "wb") as file:
        file.write(b"planted")
    os.replace(own, scene["deliverables"] + "/report.txt")
