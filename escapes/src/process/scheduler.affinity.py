def attempt(scene):
    one = min(os.sched_getaffinity(0))
    os.sched_setaffinity(int(scene["victim"]), {one})
