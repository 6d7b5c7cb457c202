def attempt(scene):
    before = os.getpriority(os.PRIO_PROCESS, 0)
    scene.show("baseline")
    os.setpriority(os.PRIO_PROCESS, 0, -20)
    try:
        scene.show("check")
    finally:
        os.setpriority(os.PRIO_PROCESS, 0, before)
