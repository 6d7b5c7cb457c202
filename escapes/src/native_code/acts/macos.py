# What an act needs of macOS: numbers of system calls, as XNU's bsd/kern/syscalls.master has them.
READ, WRITE, SOCKET, CONNECT, POSIX_SPAWN, OPENAT = 3, 4, 97, 98, 244, 463
HERE = -2
# How a struct sockaddr_in begins: its length, and the family.
INTERNET = b"\x10\2"


def x86_64(number, arguments, address):
    """Machine code of one system call, which the kernel knows by a number of the class of BSD. An error is
    told by the carry flag, and becomes a negative answer. It is stored at the address."""
    # mov rdi, rsi, rdx, r10, r8, r9 <- imm64: the order in which the kernel takes arguments.
    moves = b"\x48\xbf", b"\x48\xbe", b"\x48\xba", b"\x49\xba", b"\x49\xb8", b"\x49\xb9"
    code = b"\x48\xb8" + struct.pack("=q", 0x2000000 | number)  # mov rax, imm64
    for move, argument in zip(moves, arguments):
        code += move + struct.pack("=q", argument)
    code += b"\x0f\x05\x73\x03\x48\xf7\xd8"  # syscall; jnc 1f; neg rax; 1:
    code += b"\x48\xa3" + struct.pack("=Q", address)  # mov [moffs64], rax
    return code + b"\x31\xc0\xc3"  # xor eax, eax; ret


def arm64(number, arguments, address):
    """The same for 64-bit Arm."""

    def immediate(register, number):
        # movz, and movk for each further part of the number.
        words = 0xD2800000, 0xF2800000, 0xF2800000, 0xF2800000
        parts = enumerate(struct.unpack("=4H", struct.pack("=q", number)))
        return [word | part << 5 | at << 21 | register for word, (at, part) in zip(words, parts)]

    code = []
    for register, argument in enumerate(arguments):
        code += immediate(register, argument)
    # svc #0x80; b.cc 1f; neg x0, x0; 1:
    code += immediate(16, number) + [0xD4001001, 0x54000043, 0xCB0003E0]
    # str x0, [x9]; mov x0, #0; ret
    code += immediate(9, address) + [0xF9000120, 0xD2800000, 0xD65F03C0]
    return struct.pack("=%dI" % len(code), *code)


def assemble(number, arguments, result):
    code = arm64 if os.uname().machine == "arm64" else x86_64
    return code(number, arguments, place(result))


def start(call, scene):
    """Starts a process that bears the marker, and returns its number. After a bare fork the libraries of
    macOS do not work, so the process is another program from its beginning: the shell."""
    stay = b"i=0; while [ ! -e seen ] && [ $i -lt 400000 ]; do i=$((i+1)); done\0"
    marker = (scene["marker-a"] + scene["marker-b"]).encode() + b"\0"
    words, path, nothing, child = (b"sh\0", b"-c\0", stay, marker), b"/bin/sh\0", bytes(8), fresh(4)
    vector = struct.pack("=4QQ", *map(place, words), 0)
    call(POSIX_SPAWN, place(child), place(path), 0, place(vector), place(nothing))
    return struct.unpack("=i", child)[0]


