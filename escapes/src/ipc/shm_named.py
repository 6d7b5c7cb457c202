def attempt(scene):
    import _posixshmem

    name = "/" + os.path.basename(scene["shm-path"])
    return os.read(_posixshmem.shm_open(name, os.O_RDONLY, 0), 64)
