def attempt(scene):
    return os.environ.get("ESCAPOLOGY_DECOY", "").encode()
