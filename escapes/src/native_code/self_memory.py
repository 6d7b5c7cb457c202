def find(symbol, name):
    """Where a function of the C library begins in memory, and its length: the map says where the
    library lies, and its table of symbols (elf(5)) where the function is in it."""
    with open("/proc/self/maps") as file:
        lines = [line.split() for line in file]
    libraries = [line for line in lines if len(line) == 6 and os.path.basename(line[5]).startswith(name)]
    if not libraries:
        raise OSError(38, "the C library is none that this program knows")
    base, path = int(libraries[0][0].split("-")[0], 16), libraries[0][5]
    with open(path, "rb") as file:
        elf = file.read()
    start, size, number = struct.unpack_from("=Q", elf, 40) + struct.unpack_from("=2H", elf, 58)
    sections = [struct.unpack_from("=2I4Q2I2Q", elf, start + size * index) for index in range(number)]
    _, _, _, _, table, length, strings, _, _, step = next(s for s in sections if s[1] == 11)
    for entry in range(table, table + length, step):
        offset, _, _, _, address, extent = struct.unpack_from("=I2BH2Q", elf, entry)
        begin = sections[strings][4] + offset
        if address and elf[begin : elf.index(b"\0", begin)] == symbol:
            return base + address, extent
    raise OSError(38, "the C library has no such function")


def carry(scene):
    address, extent = find(b"getloadavg", ("libc.so.6", "libc-2", "libc.musl", "ld-musl"))

    def call(number, *arguments):
        result = fresh()
        code = assemble(number, arguments, result)
        if extent < len(code):
            raise OSError(38, "the function is too short")
        with open("/proc/self/mem", "r+b", buffering=0) as memory:
            before = os.pread(memory.fileno(), len(code), address)
            os.pwrite(memory.fileno(), code, address)
            try:
                os.getloadavg()
            except OSError:
                pass  # The code answers 0 averages, which nobody expects.
            finally:
                os.pwrite(memory.fileno(), before, address)
        return value(result)

    return call


