import errno
import os


def attempt(scene):
    if scene["disk"] == "no":
        raise OSError(errno.EOPNOTSUPP, "the file has no place but memory")
    file = os.open(scene["warm"], os.O_RDONLY)
    os.posix_fadvise(file, 0, 0, os.POSIX_FADV_DONTNEED)
    scene.show("evicted")
