def attempt(scene):
    left = 8 << 20
    while left:
        left -= os.write(1, b"x" * min(left, 1 << 16))
    until_seen(scene)
