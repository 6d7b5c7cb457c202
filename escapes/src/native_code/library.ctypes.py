def load(path):
    import ctypes

    ctypes.CDLL(path)


