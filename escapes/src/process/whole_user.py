def attempt(scene):
    os.setpriority(os.PRIO_USER, int(scene["lone-user"]), 7)
