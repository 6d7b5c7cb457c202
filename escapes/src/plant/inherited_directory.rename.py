def attempt(scene):
    own = scene.run + "/own"
    open(own, "wb").close()
    directory = int(scene["inherited-directory"])
    os.rename(own, "deliverables/report.txt", dst_dir_fd=directory)
