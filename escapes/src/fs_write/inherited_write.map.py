def attempt(scene):
    import mmap

    with mmap.mmap(int(scene["inherited-write"]), 0) as memory:
        memory[:4] = b"\xff" * 4
