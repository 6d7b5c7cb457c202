# Memory: mapped files, anonymous maps, and a hundred megabytes.


def work(scene):
    import array, mmap

    with open(scene.run + "/mapped", "w+b") as file:
        file.truncate(1 << 20)
        with mmap.mmap(file.fileno(), 0) as mapped:
            mapped[:6] = b"mapped"
            mapped.flush()
            mapped[1 << 19] = 7
        file.seek(0)
        assert file.read(6) == b"mapped"
        with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as mapped:
            assert mapped.find(b"\x07") == 1 << 19
    with mmap.mmap(-1, 1 << 24) as anonymous:
        anonymous.write(b"x" * (1 << 24))
        assert anonymous[-1] == ord("x")
    large = bytearray(64 << 20)
    large[::4096] = b"\x01" * (len(large) // 4096)
    assert large.count(1) == len(large) // 4096
    del large
    numbers = array.array("d", range(100000))
    assert sum(numbers) == 4999950000.0
