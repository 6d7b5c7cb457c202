def attempt(scene):
    second(scene, os.fork())
