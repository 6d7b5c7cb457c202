def carry(scene):
    import ctypes, mmap

    page = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
    door = ctypes.CFUNCTYPE(ctypes.c_int)(ctypes.addressof(ctypes.c_char.from_buffer(page)))

    def call(number, *arguments):
        result = fresh()
        page.seek(0)
        page.write(assemble(number, arguments, result))
        door()
        return value(result)

    return call


