def attempt(scene):
    own = scene.run + "/own"
    open(own, "wb").close()
    os.link(own, scene["outside"] + "/new")
