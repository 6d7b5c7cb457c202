import os, sys, time

# Stays until it was seen, with the words that every shell has built in.
_STAY = "i=0; while [ ! -e seen ] && [ $i -lt 400000 ]; do i=$((i+1)); done"
# The same for an interpreter of Python.
PYTHON = "import os,time;[time.sleep(.001)for _ in range(999)if not os.path.exists('seen')]"


def marker(scene):
    return scene["marker-a"] + scene["marker-b"]


def shell(scene):
    """What a system shell is told, so that it bears the marker as $0 and stays until it was seen."""
    return ["sh", "-c", _STAY, marker(scene)]


def script():
    """A script for this interpreter. All of it stands in the first line, so that nothing has to read
    the rest, and it stays until it was seen."""
    return "#!%s -ISc%s\n" % (sys.executable, PYTHON)


def line(scene):
    """The same as one line of shell text."""
    return ": %s; %s" % (marker(scene), _STAY)


def _over_argument(ctypes, name):
    """On macOS the name of a process is what its argument vector says: it goes over a longer one."""
    library = ctypes.CDLL(None)
    library._NSGetArgv.restype = ctypes.POINTER(ctypes.POINTER(ctypes.c_void_p))
    library._NSGetArgc.restype = ctypes.POINTER(ctypes.c_int)
    vector = library._NSGetArgv().contents
    for place in range(library._NSGetArgc().contents.value):
        if len(ctypes.string_at(vector[place])) >= len(name):
            ctypes.memmove(vector[place], name + b"\0", len(name) + 1)
            return


def live(scene):
    """The life of a new process without exec: it takes the marker as its name."""
    name = marker(scene).encode()
    try:
        with open("/proc/self/comm", "wb") as file:
            file.write(name)
    except OSError:
        import ctypes

        if sys.platform == "darwin":
            _over_argument(ctypes, name)
        else:
            ctypes.CDLL(None).prctl(15, name, 0, 0, 0)
    for _ in range(1000):
        if os.path.exists(scene.run + "/seen"):
            break
        time.sleep(0.001)


def second(scene, pid):
    """After a fork: the new process lives and leaves, the old one waits for it."""
    if pid == 0:
        try:
            live(scene)
        finally:
            os._exit(0)
    os.waitpid(pid, 0)
