def carry(scene):
    import ctypes

    system_call = ctypes.CDLL(None, use_errno=True).syscall
    # It takes any number of arguments, which the calling convention must know.
    system_call.argtypes = [ctypes.c_int]

    def call(number, *arguments):
        result = system_call(number, *map(ctypes.c_long, arguments))
        if result == -1:
            raise OSError(ctypes.get_errno(), "the system call failed")
        return result

    return call


