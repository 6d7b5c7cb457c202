def carry(scene):
    import ctypes

    def call(number, *arguments):
        result = fresh()
        page, start = executable(scene, assemble(number, arguments, result))
        address = ctypes.c_void_p.from_address(id(page) + 16).value
        ctypes.CFUNCTYPE(ctypes.c_int)(address + start)()
        return value(result)

    return call


