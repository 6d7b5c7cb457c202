def attempt(scene):
    secret = scene["secret"]

    def dive():
        """Goes down to where a hook has no room to decide, and tries at each depth on the way up."""
        try:
            return dive()
        except RecursionError:
            file = os.open(secret, os.O_RDONLY)
            try:
                return os.read(file, 4096)
            finally:
                os.close(file)

    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(300)
    try:
        return dive()
    finally:
        sys.setrecursionlimit(limit)
