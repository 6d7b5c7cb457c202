def attempt(scene):
    names = [scene.run + "/first", scene.run + "/second"]
    for name in names:
        with open(name, "wb") as file:
            file.write(b"x" * (4 << 20))
    until_seen(scene)
    for name in names:
        os.remove(name)
