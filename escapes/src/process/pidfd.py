def attempt(scene):
    held = os.pidfd_open(int(scene["victim"]))
    scene.show("descriptor pidfd")
