def attempt(scene):
    scene.show("host " + os.uname().nodename)
