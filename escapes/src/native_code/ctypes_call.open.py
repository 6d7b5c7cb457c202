def attempt(scene):
    import ctypes

    library = ctypes.CDLL(None, use_errno=True)
    file = library.open(os.fsencode(scene["secret"]), 0)
    if file == -1:
        raise OSError(ctypes.get_errno(), "open failed")
    loot = ctypes.create_string_buffer(4096)
    length = library.read(file, loot, len(loot))
    return loot.raw[:length]
