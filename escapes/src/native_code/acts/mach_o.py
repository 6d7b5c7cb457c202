# Where things lie in the file: the code, the end of the text, and the signature at the end.
CODE, TEXT, SIGNATURE = 0x1000, 0x4000, 0x4010


def mach_o(code, cpu, kind):
    """The smallest library (mach-o/loader.h) that the loader of macOS takes: text, in which a section says
    where the initialiser is, and what holds the signature. It has no symbols, so none must be found."""

    def text(words, length):
        return words.encode().ljust(length, b"\0")

    def segment(name, offset, length, size, rights, sections=()):
        head = text(name, 16) + struct.pack("=4Q4I", offset, length, offset, size, rights, rights, len(sections), 0)
        return 0x19, head + b"".join(sections)

    def section(name, offset, size, flags):
        return text(name, 16) + text("__TEXT", 16) + struct.pack("=2Q8I", offset, size, offset, 2, 0, 0, flags, 0, 0, 0)

    def library(name, length):
        return struct.pack("=4I", 24, 2, 0x10000, 0x10000) + text(name, length)

    blob = len(signature(bytes(SIGNATURE)))
    commands = [
        segment(
            "__TEXT", 0, TEXT, TEXT, 5,
            # S_INIT_FUNC_OFFSETS, and S_ATTR_PURE_INSTRUCTIONS with S_ATTR_SOME_INSTRUCTIONS.
            (section("__init_offsets", CODE - 4, 4, 0x16), section("__text", CODE, len(code), 0x80000400)),
        ),
        segment("__LINKEDIT", TEXT, TEXT, SIGNATURE - TEXT + blob, 1),
        (0xD, library("carried", 8)),  # LC_ID_DYLIB
        (0x80000022, bytes(40)),  # LC_DYLD_INFO_ONLY: nothing is bound
        (0x2, struct.pack("=4I", TEXT, 0, TEXT, SIGNATURE - TEXT)),  # LC_SYMTAB
        (0xB, bytes(72)),  # LC_DYSYMTAB
        (0x1B, text("carried", 16)),  # LC_UUID
        (0x32, struct.pack("=4I", 1, 0xB0000, 0xB0000, 0)),  # LC_BUILD_VERSION: macOS 11
        (0xC, library("/usr/lib/libSystem.B.dylib", 32)),  # LC_LOAD_DYLIB
        (0x1D, struct.pack("=2I", SIGNATURE, blob)),  # LC_CODE_SIGNATURE
    ]
    body = b"".join(struct.pack("=2I", command, 8 + len(data)) + data for command, data in commands)
    # MH_DYLIB; MH_NOUNDEFS, MH_DYLDLINK, MH_TWOLEVEL, MH_NO_REEXPORTED_DYLIBS.
    head = struct.pack("=8I", 0xFEEDFACF, cpu, kind, 6, len(commands), len(body), 0x100085, 0)
    file = (head + body).ljust(CODE - 4, b"\0") + struct.pack("=I", CODE) + code
    file = file.ljust(SIGNATURE, b"\0")
    return file + signature(file)


def signature(file):
    """A signature without a key (kern/cs_blobs.h): a directory of the digests of all pages. That whoever
    wrote the file signed it is all that the processors of Apple demand."""
    import hashlib

    pages = [hashlib.sha256(file[at : at + 4096]).digest() for at in range(0, len(file), 4096)]
    name = b"carried\0"
    digests = 88 + len(name)
    length = digests + 32 * len(pages)
    # CSMAGIC_CODEDIRECTORY, its length and version; CS_ADHOC with CS_LINKER_SIGNED.
    directory = struct.pack(">4I", 0xFADE0C02, length, 0x20400, 0x20002)
    directory += struct.pack(">5I", digests, 88, 0, len(pages), len(file))
    # SHA-256, and pages of 2 to the 12th bytes; and which part of the file is text.
    directory += struct.pack(">4B4I4Q", 32, 2, 0, 12, 0, 0, 0, 0, 0, 0, TEXT, 0)
    directory += name + b"".join(pages)
    # CSMAGIC_EMBEDDED_SIGNATURE, with one blob, the directory.
    return struct.pack(">5I", 0xFADE0CC0, 20 + length, 1, 0, 20) + directory


def shared_object(code):
    arm = os.uname().machine == "arm64"
    return mach_o(code, *((0x100000C, 0) if arm else (0x1000007, 3)))


