def attempt(scene):
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL
    directory = int(scene["inherited-directory"])
    os.close(os.open("deliverables/planted", flags, 0o400, dir_fd=directory))
