def attempt(scene):
    # Only with a directory descriptor does os.link follow links; an absolute path ignores it.
    file = os.open(scene.run, os.O_TMPFILE | os.O_WRONLY, 0o600)
    os.link("/proc/self/fd/%d" % file, scene["outside"] + "/new", src_dir_fd=0, follow_symlinks=True)
    os.close(file)
