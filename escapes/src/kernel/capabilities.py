def attempt(scene):
    scene.show("capabilities")
