def attempt(scene):
    own = scene.run + "/own"
    open(own, "wb").close()
    os.link(own, scene["deliverables"] + "/planted")
    with open(own, "wb") as file:
        file.write(b"changed after it was linked")
