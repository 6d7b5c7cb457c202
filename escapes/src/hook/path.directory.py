def attempt(scene):
    # A relative path that is an own file's from the working directory, and the secret's from another.
    own = scene.run + "/a/b"
    secret = os.path.relpath(scene["secret"], scene.run)
    os.makedirs(os.path.dirname(os.path.join(own, secret)), exist_ok=True)
    before = os.getcwd()
    directory = os.open(scene.run, os.O_RDONLY | os.O_DIRECTORY)
    os.chdir(own)
    try:
        return os.read(os.open(secret, os.O_RDONLY, dir_fd=directory), 4096)
    finally:
        os.chdir(before)
        os.close(directory)
