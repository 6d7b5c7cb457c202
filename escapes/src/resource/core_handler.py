import errno, resource


def attempt(scene):
    try:
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    except ValueError:
        # Python has no errno for the limit that is above what is allowed.
        raise OSError(errno.EPERM, "setrlimit")
    until_seen(scene)
