def carry(scene):
    import ctypes

    system_call = ctypes.CDLL(None, use_errno=True).syscall
    system_call.restype = ctypes.c_long

    def call(number, *arguments):
        result = system_call(*map(ctypes.c_long, (number,) + arguments))
        if result == -1:
            raise OSError(ctypes.get_errno(), "the system call failed")
        return result

    return call


