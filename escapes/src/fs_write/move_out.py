def attempt(scene):
    own = scene.run + "/own"
    open(own, "wb").close()
    os.rename(own, scene["outside"] + "/new")
