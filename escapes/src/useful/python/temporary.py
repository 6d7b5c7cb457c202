# Temporary files, saving by renaming, and a lock file.


def work(scene):
    import errno, fcntl, os, tempfile

    with tempfile.TemporaryDirectory() as folder:
        with open(folder + "/inside", "w") as file:
            file.write("x")
    assert not os.path.exists(folder)
    with tempfile.TemporaryFile() as file:
        file.write(b"nameless")
        file.seek(0)
        assert file.read() == b"nameless"
    with tempfile.SpooledTemporaryFile(max_size=10) as file:
        file.write(b"more than ten bytes")
        file.seek(0)
        assert file.read() == b"more than ten bytes"
    for content in ("one", "two"):
        with tempfile.NamedTemporaryFile("w", dir=scene.run, delete=False) as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.replace(file.name, scene.run + "/saved")
    descriptor = os.open(scene.run, os.O_RDONLY)
    os.fsync(descriptor)
    os.close(descriptor)
    os.close(os.open(scene.run + "/lock", os.O_CREAT | os.O_EXCL | os.O_WRONLY))
    try:
        os.open(scene.run + "/lock", os.O_CREAT | os.O_EXCL | os.O_WRONLY)
        raise AssertionError("a lock file was made twice")
    except FileExistsError as error:
        assert error.errno == errno.EEXIST
    with open(scene.run + "/lock", "w") as file:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
