def attempt(scene):
    own = scene.run + "/own-directory"
    os.mkdir(own)
    open(own + "/own", "wb").close()
    os.rename(own, scene["outside"] + "/new")
