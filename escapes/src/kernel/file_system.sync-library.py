def attempt(scene):
    scene.show("write")
    os.sync()
    scene.show("check")
