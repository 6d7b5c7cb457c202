def attempt(scene):
    os.sched_setscheduler(int(scene["victim"]), os.SCHED_IDLE, os.sched_param(0))
