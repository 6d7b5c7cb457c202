import struct

# What an act needs of x86-64 Linux: numbers of system calls, as unistd_64.h has them.
READ, WRITE, SOCKET, CONNECT, FORK, EXIT, PRCTL, OPENAT = 0, 1, 41, 42, 57, 60, 157, 257
HERE = -100


def place(data):
    """Where the bytes of a bytes object lie: behind its head, of which the last byte ends the bytes."""
    return id(data) + bytes.__basicsize__ - 1


def answer(raw):
    """What the kernel's raw answer means."""
    if -4096 < raw < 0:
        raise OSError(-raw, os.strerror(-raw))
    return raw


def assemble(number, arguments, result):
    """Machine code of one system call. Each argument is an immediate of its own, so it needs no data
    and no relocation. It stores the kernel's raw answer in the bytes object result and returns 0."""
    # mov rdi, rsi, rdx, r10, r8, r9 <- imm64: the order in which the kernel takes arguments.
    moves = b"\x48\xbf", b"\x48\xbe", b"\x48\xba", b"\x49\xba", b"\x49\xb8", b"\x49\xb9"
    code = b"\x48\xb8" + struct.pack("=q", number)  # mov rax, imm64
    for move, argument in zip(moves, arguments):
        code += move + struct.pack("=q", argument)
    code += b"\x0f\x05"  # syscall
    code += b"\x48\xa3" + struct.pack("=q", place(result))  # mov [moffs64], rax
    return code + b"\x31\xc0\xc3"  # xor eax, eax; ret


def fresh(length=8):
    """A bytes object of its own, which machine code may overwrite."""
    return bytes(bytearray(length))


def value(result):
    return answer(struct.unpack("=q", result)[0])


