def attempt(scene):
    import faulthandler

    descriptor = int(scene["inherited-write"])
    os.fstat(descriptor)  # The writer of tracebacks tells nobody that there is no such descriptor.
    faulthandler.dump_traceback(file=descriptor)
