import resource


def attempt(scene):
    resource.prlimit(int(scene["victim"]), resource.RLIMIT_CPU, (1, 1))
