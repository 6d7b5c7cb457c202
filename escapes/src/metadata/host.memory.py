def attempt(scene):
    scene.show("memory %d" % (os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")))
