def attempt(scene):
    import _posixshmem

    name = "/" + os.path.basename(scene["shm-path"])
    memory = _posixshmem.shm_open(name, os.O_RDONLY, mode=0o600)
    try:
        return os.read(memory, 4096)
    finally:
        os.close(memory)
