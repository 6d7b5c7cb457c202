def attempt(scene):
    os.setpriority(os.PRIO_PROCESS, int(scene["victim"]), 19)
