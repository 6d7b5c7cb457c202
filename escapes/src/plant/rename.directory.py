def attempt(scene):
    own = scene.run + "/own-directory"
    os.mkdir(own)
    with open(own + "/own", "wb") as file:
        file.write(b"planted")
    os.rename(own, scene["deliverables"] + "/planted")
