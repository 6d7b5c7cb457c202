def attempt(scene):
    name = scene.run + "/second"
    os.link(os.path.realpath(os.__file__), name)
    try:
        scene.show("second name")
    finally:
        os.remove(name)
