import resource


def attempt(scene):
    resource.prlimit(int(scene["victim"]), resource.RLIMIT_NOFILE, (1, 1))
