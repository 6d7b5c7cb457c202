def attempt(scene):
    import _posixshmem

    name = "/" + os.path.basename(scene["shm-new"])
    os.close(_posixshmem.shm_open(name, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
