# A program lowers its own limits. The audit hook refuses that, for a limit may be put on others too.


def work(scene):
    import resource

    for name, value in (("NOFILE", 128), ("STACK", 4 << 20), ("CPU", 1000)):
        kind = getattr(resource, "RLIMIT_" + name)
        soft, hard = resource.getrlimit(kind)
        lowered = value if soft == resource.RLIM_INFINITY else min(soft, value)
        resource.setrlimit(kind, (lowered, hard))
        assert resource.getrlimit(kind) == (lowered, hard)
