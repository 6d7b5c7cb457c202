def attempt(scene):
    name = scene.run + "/first"
    with open(name, "wb", buffering=0) as file:
        os.remove(name)
        file.write(b"x" * (8 << 20))
        until_seen(scene)
