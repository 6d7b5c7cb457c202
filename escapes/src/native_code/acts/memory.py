import struct


def place(data):
    """Where the bytes of a bytes object lie: behind its head, of which the last byte ends the bytes."""
    return id(data) + bytes.__basicsize__ - 1


def answer(raw):
    """What the kernel's raw answer means."""
    if -4096 < raw < 0:
        raise OSError(-raw, os.strerror(-raw))
    return raw


def fresh(length=8):
    """A bytes object of its own, which machine code may overwrite."""
    return bytes(bytearray(length))


def value(result):
    return answer(struct.unpack("=q", result)[0])


