def attempt(scene):
    held = [b"x" * (16 << 20) for _ in range(18)]
    until_seen(scene)
    del held
