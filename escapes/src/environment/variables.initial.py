def attempt(scene):
    import posix

    return posix.environ.get(b"ESCAPOLOGY_DECOY", b"")
