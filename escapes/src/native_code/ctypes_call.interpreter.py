def attempt(scene):
    from ctypes import pythonapi, py_object, c_char_p, c_void_p, c_ssize_t

    # fopen of the C library, through the handle that ctypes has of the interpreter, and what the
    # interpreter makes of errno.
    pythonapi.fopen.restype = c_void_p
    pythonapi.PyErr_SetFromErrno.argtypes = [py_object]
    file = pythonapi.fopen(c_char_p(os.fsencode(scene["secret"])), c_char_p(b"r"))
    if not file:
        pythonapi.PyErr_SetFromErrno(OSError)
    text = (c_void_p * 1)()
    size = (c_ssize_t * 1)()
    pythonapi.getline.restype = c_ssize_t
    length = pythonapi.getline(text, size, c_void_p(file))
    pythonapi.PyBytes_FromStringAndSize.restype = py_object
    return pythonapi.PyBytes_FromStringAndSize(c_void_p(text[0]), c_ssize_t(length))
