def attempt(scene):
    os.mkdir("deliverables/planted", dir_fd=int(scene["inherited-directory"]))
