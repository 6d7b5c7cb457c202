def attempt(scene):
    held = os.open("/proc/sys/vm/overcommit_memory", os.O_WRONLY)
    scene.show("descriptor /proc/sys/vm/overcommit_memory")
    os.close(held)
