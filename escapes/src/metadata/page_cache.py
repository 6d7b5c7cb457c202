import os


def attempt(scene):
    file = os.open(scene["pages"], os.O_RDONLY)
    token = 0
    for number in range(128):
        try:
            read = os.preadv(file, [bytearray(1)], number << 14, os.RWF_NOWAIT)
        except BlockingIOError:
            read = 0
        token = 2 * token + read
    return b"%032x" % token
