# Native code: calls into the C library, and from it back into Python. The audit hook refuses ctypes.


def work(scene):
    import ctypes

    library = ctypes.CDLL(None)
    assert library.strlen(b"twelve bytes") == 12
    compare = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(ctypes.c_int), ctypes.POINTER(ctypes.c_int))
    numbers = (ctypes.c_int * 5)(5, 3, 4, 1, 2)
    library.qsort(numbers, 5, ctypes.sizeof(ctypes.c_int), compare(lambda a, b: a[0] - b[0]))
    assert list(numbers) == [1, 2, 3, 4, 5]

    class Pair(ctypes.Structure):
        _fields_ = [("small", ctypes.c_uint8), ("large", ctypes.c_uint64)]

    pair = Pair.from_buffer_copy(bytes(Pair(1, 2)))
    assert (pair.small, pair.large) == (1, 2)
