def shared_object(code):
    """The smallest shared object (elf(5)) that a loader takes: one segment that is everything, and a
    dynamic section that names the code as initialiser. It has no symbols, so none must be found."""
    # DT_INIT, DT_STRTAB, DT_SYMTAB, DT_STRSZ, DT_NULL.
    dynamic = struct.pack("=10Q", 12, 0x200, 5, 0x1E0, 6, 0x1E8, 10, 1, 0, 0)
    # Type ET_DYN, machine EM_X86_64, program headers at 64, and no section.
    header = struct.pack("=16s2HI3QI6H", b"\x7fELF\2\1\1", 3, 62, 1, 0, 64, 0, 0, 64, 56, 2, 0, 0, 0)
    # PT_LOAD and PT_DYNAMIC: flags, offset, addresses, sizes, alignment.
    load = struct.pack("=2I6Q", 1, 7, 0, 0, 0, 0x1000, 0x1000, 0x1000)
    section = struct.pack("=2I6Q", 2, 6, 0x100, 0x100, 0x100, len(dynamic), len(dynamic), 8)
    file = (header + load + section).ljust(0x100, b"\0") + dynamic
    return (file.ljust(0x200, b"\0") + code).ljust(0x1000, b"\0")


