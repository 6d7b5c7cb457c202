def executable(scene, code):
    """A map of memory that holds the code, and where in it. It is such as a compiler at run time takes
    (MAP_JIT): on Arm a thread may write it or execute it, and never both."""
    import ctypes, mmap

    everything = mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC
    # MAP_PRIVATE, MAP_ANON and MAP_JIT of sys/mman.h.
    page = mmap.mmap(-1, 16384, flags=0x2 | 0x1000 | 0x800, prot=everything)
    library = ctypes.CDLL(None)
    library.pthread_jit_write_protect_np(0)
    page.write(code)
    library.pthread_jit_write_protect_np(1)
    start = ctypes.addressof(ctypes.c_char.from_buffer(page))
    library.sys_icache_invalidate(ctypes.c_void_p(start), ctypes.c_size_t(len(code)))
    return page, 0


