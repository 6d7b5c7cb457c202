def executable(scene, code):
    """A map of memory that holds the code, and where in it. No function that makes memory executable is at
    hand, but a file may be mapped so, and on Arm must be signed: the kernel is shown the signature as the
    loader shows it."""
    import fcntl, mmap

    path = "%s/code_%d" % (scene.run, len(os.listdir(scene.run)))
    with open(path, "wb") as file:
        file.write(shared_object(code))
    with open(path, "rb") as file:
        # F_ADDFILESIGS_RETURN of sys/fcntl.h: where the file begins, where its signature is, and its length.
        length = os.path.getsize(path) - SIGNATURE
        fcntl.fcntl(file.fileno(), 97, struct.pack("=3q", 0, SIGNATURE, length) + bytes(64))
        executable = mmap.PROT_READ | mmap.PROT_EXEC
        return mmap.mmap(file.fileno(), TEXT, flags=mmap.MAP_PRIVATE, prot=executable), CODE


