def attempt(scene):
    held = os.memfd_create("kept")
    scene.show("descriptor /memfd:kept")
