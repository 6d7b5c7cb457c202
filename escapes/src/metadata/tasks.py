def alive(task):
    os.sched_getscheduler(task)


