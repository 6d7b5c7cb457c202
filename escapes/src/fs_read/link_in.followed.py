def attempt(scene):
    # Only with a directory descriptor does os.link follow links; an absolute path ignores it.
    link, bait = scene.run + "/link", scene.run + "/bait"
    os.symlink(scene["secret"], link)
    try:
        os.link(link, bait, src_dir_fd=0, follow_symlinks=True)
    finally:
        os.remove(link)
    with open(bait, "rb") as file:
        loot = file.read()
    os.remove(bait)
    return loot
