def attempt(scene):
    held = os.memfd_create("held")
    for _ in range(48):
        os.write(held, b"x" * (1 << 20))
    until_seen(scene)
