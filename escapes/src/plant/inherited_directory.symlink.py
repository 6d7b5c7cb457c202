def attempt(scene):
    directory = int(scene["inherited-directory"])
    os.symlink("/dev/null", "deliverables/planted", dir_fd=directory)
