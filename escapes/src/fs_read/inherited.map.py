def attempt(scene):
    import mmap

    with mmap.mmap(int(scene["inherited-secret"]), 0, prot=mmap.PROT_READ) as memory:
        return memory[:]
