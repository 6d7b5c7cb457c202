def attempt(scene):
    own = scene.run + "/own"
    with open(own, "wb") as file:
        file.write(b"changed")
    os.rename(own, scene["writable"])
