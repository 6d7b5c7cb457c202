# The inside of a trial in Python: this text, then the escape's own text, which defines attempt(scene).
# It imports as little as it can: the act must not be able to blame the stage.
import os, sys


class Scene:
    """What the program is told of its world: key=value arguments."""

    def __init__(self, arguments):
        self.clues = dict(a.split("=", 1) for a in arguments if "=" in a)
        self.run = self.clues["run"]
        self.nonce = self.clues["nonce"]

    def __getitem__(self, key):
        return self.clues[key]

    def say(self, word):
        sys.stdout.write("\n%s %s\n" % (self.nonce, word))
        sys.stdout.flush()

    def emit(self, loot):
        sys.stdout.buffer.write(loot)
        sys.stdout.flush()

    def show(self, claim):
        """Asks the watchers to look now; no answer is an error, never a look."""
        self.say("look " + claim)
        if not os.read(0, 1):
            raise EOFError("nobody looked")


def _own_file(scene):
    pass


def _own_tree(scene):
    tree = scene.run + "/twin-tree"
    os.mkdir(tree)
    with open(scene.run + "/twin-file", "w") as file:
        file.write("twin")
    os.rename(scene.run + "/twin-file", tree + "/moved")
    if sys.platform == "darwin":
        # A profile of macOS lets nothing be linked, for a link is how others are led astray.
        open(tree + "/linked", "w").close()
        open(tree + "/symbolic", "w").close()
    else:
        os.link(tree + "/moved", tree + "/linked")
        os.symlink("moved", tree + "/symbolic")
    names = os.listdir(tree)
    for name in names:
        os.remove(tree + "/" + name)
    os.rmdir(tree)
    assert len(names) == 3


def _thread(scene):
    import threading

    thread = threading.Thread(target=lambda: None)
    thread.start()
    thread.join()


def _socket_pair(scene):
    import socket

    near, far = socket.socketpair()
    near.sendall(b"twin")
    assert far.recv(4) == b"twin"
    near.close()
    far.close()


def _own_signal(scene):
    import signal

    signal.raise_signal(signal.SIGURG)


def _own_process(scene):
    os.getpid(), os.getuid(), os.cpu_count()


def _memory(scene):
    bytearray(1 << 22)[-1] = 1


_TWINS = {
    "own-file": _own_file,
    "own-tree": _own_tree,
    "thread": _thread,
    "socket-pair": _socket_pair,
    "own-signal": _own_signal,
    "own-process": _own_process,
    "memory": _memory,
}


def _prove(scene, moment):
    with open(scene.run + "/neighbour", "rb") as file:
        neighbour = file.read()
    with open(scene.run + "/proof-" + moment, "wb") as file:
        file.write(neighbour)


def _twin(scene, moment):
    try:
        _TWINS[scene["twin"]](scene)
        _prove(scene, moment)
        scene.say("twin-%s ok" % moment)
    except BaseException as error:
        scene.say("twin-%s %r" % (moment, error))


def _perform(attempt):
    scene = Scene(sys.argv[1:])
    scene.say("started")
    if scene.clues.get("phase") == "twin":
        return _twin(scene, "after")
    _twin(scene, "before")
    scene.say("reached")
    try:
        scene.emit(attempt(scene) or b"")
        scene.say("answer done")
    except OSError as error:
        if error.errno is None:
            scene.say("answer exception " + type(error).__name__)
        else:
            scene.say("answer errno %d" % error.errno)
    except BaseException as error:
        scene.say("answer exception %s" % type(error).__name__)
    _twin(scene, "after")


def _work(work):
    """Plays useful work. What the program says of itself is for people; the proof counts.
    A module that is not there is said apart: in the control it shows that this interpreter lacks it."""
    scene = Scene(sys.argv[1:])
    scene.say("started")
    try:
        try:
            work(scene)
        except SystemExit as leaving:
            if leaving.code:
                raise
        _prove(scene, "before")
    except ModuleNotFoundError as error:
        scene.say("work absent %s" % error.name)
        sys.exit(1)
    except BaseException as error:
        scene.say("work %r" % error)
        sys.stderr.write("%r\n" % error)
        sys.exit(1)
    scene.say("work ok")
