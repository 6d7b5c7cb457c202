def executable(scene, code):
    """A map of memory that holds the code, and where in it."""
    import mmap

    page = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
    page.write(code)
    return page, 0


