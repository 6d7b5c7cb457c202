def attempt(scene):
    name = scene.run + "/large"
    with open(name, "wb", buffering=0) as file:
        left = 2 << 20
        while left:
            left -= file.write(b"x" * left)
    until_seen(scene)
    os.remove(name)
