def attempt(scene):
    directory = int(scene["inherited-directory"])
    os.fstat(directory)
    file = os.open("secret", os.O_RDONLY, dir_fd=directory)
    try:
        return os.read(file, 4096)
    finally:
        os.close(file)
