# Does every act of docs/behaviour.md and says a line for each: the act, a tab, and `done`, `unchanged`,
# `failed` or the name of the errno.
import ctypes, errno, mmap, os, pathlib, signal, socket, stat, sys, threading

own, outside = sys.argv[1:3]
BARE = sys.argv[3:] == ["bare"]
library = ctypes.CDLL(None, use_errno=True)
ACTS = []


def act(name):
    return lambda function: ACTS.append((name, function))


def call(number, *arguments, harmless=()):
    """A system call by number; the errnos in `harmless` show that the kernel took it."""
    if library.syscall(ctypes.c_long(number), *[ctypes.c_long(a) for a in arguments]) == -1:
        code = ctypes.get_errno()
        if code not in harmless:
            raise OSError(code, os.strerror(code))


def put(path, text="text"):
    with open(path, "w") as file:
        file.write(text)


act("open a file outside")(lambda: open(outside + "/file").close())
act("create outside")(lambda: put(outside + "/made"))
act("remove outside")(lambda: os.remove(outside + "/removable"))
act("list outside")(lambda: os.listdir(outside))
for folder in ("/", "/proc", "/sys", "/dev/shm"):
    act("list " + folder)(lambda folder=folder: os.listdir(folder))


@act("link out")
def _():
    put(own + "/to-link")
    os.link(own + "/to-link", outside + "/linked")


@act("rename out")
def _():
    put(own + "/to-move")
    os.rename(own + "/to-move", outside + "/moved")


act("link a file outside in")(lambda: os.link(outside + "/file", own + "/linked-in"))


@act("link between own directories")
def _():
    os.makedirs(own + "/one")
    os.makedirs(own + "/two")
    put(own + "/one/file")
    os.link(own + "/one/file", own + "/two/linked")


act("rename between own directories")(lambda: os.rename(own + "/one/file", own + "/two/file"))
act("stat outside")(lambda: os.stat(outside + "/file"))


@act("access outside")
def _():
    assert os.access(outside + "/file", os.R_OK)


act("readlink outside")(lambda: os.readlink(outside + "/link") and None)


@act("chdir outside")
def _():
    before = os.getcwd()
    os.chdir(outside)
    os.chdir(before)


act("write /dev/null")(lambda: put("/dev/null"))


def read(path):
    with open(path, "rb", buffering=0) as file:
        assert len(file.read(4)) == 4


act("read /dev/zero")(lambda: read("/dev/zero"))
act("read /dev/urandom")(lambda: read("/dev/urandom"))
act("chmod outside")(lambda: os.chmod(outside + "/file", 0o600))
act("utime outside")(lambda: os.utime(outside + "/file", (1, 1)))


@act("mode is changed")
def _():
    put(own + "/mode")
    os.chmod(own + "/mode", 0o400)
    return None if stat.S_IMODE(os.stat(own + "/mode").st_mode) == 0o400 else "unchanged"


@act("time is changed")
def _():
    put(own + "/time")
    os.utime(own + "/time", (1, 1))
    return None if os.stat(own + "/time").st_mtime == 1 else "unchanged"


act("touch an own file that is there")(lambda: pathlib.Path(own + "/time").touch())


@act("touch an own file that is not there")
def _():
    pathlib.Path(own + "/touched").touch()
    return None if os.path.exists(own + "/touched") else "absent"


act("utime an own file without times")(lambda: os.utime(own + "/time"))


@act("set an attribute")
def _():
    put(own + "/attribute")
    os.setxattr(own + "/attribute", "user.note", b"note")


act("list attributes")(lambda: os.listxattr(own + "/attribute"))
act("make a FIFO")(lambda: os.mkfifo(own + "/fifo"))


@act("start a thread")
def _():
    thread = threading.Thread(target=int)
    thread.start()
    thread.join()


@act("fork")
def _():
    child = os.fork()
    if child == 0:
        os._exit(0)
    os.waitpid(child, 0)


act("posix_spawn")(lambda: os.waitpid(os.posix_spawn("/bin/true", ["true"], {}), 0))


@act("subprocess")
def _():
    import subprocess

    subprocess.run(["/bin/true"], check=True)


act("os.system")(lambda: "failed" if os.system("/bin/true") == 127 << 8 else None)


@act("multiprocessing lock")
def _():
    import multiprocessing

    multiprocessing.Lock()


@act("multiprocessing pool")
def _():
    import multiprocessing

    with multiprocessing.get_context("fork").Pool(1) as pool:
        pool.map(abs, [1])


@act("process pool executor")
def _():
    import concurrent.futures, multiprocessing

    context = multiprocessing.get_context("fork")
    with concurrent.futures.ProcessPoolExecutor(1, mp_context=context) as pool:
        pool.submit(abs, 1).result()


@act("shared memory")
def _():
    from multiprocessing import shared_memory

    block = shared_memory.SharedMemory(create=True, size=4096)
    block.close()
    block.unlink()


@act("thread pool of multiprocessing")
def _():
    import multiprocessing.pool

    with multiprocessing.pool.ThreadPool(1) as pool:
        pool.map(abs, [1])


@act("thread pool executor")
def _():
    import concurrent.futures

    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        assert list(pool.map(abs, [-1, -2])) == [1, 2]


act("socket inet")(lambda: socket.socket().close())
act("socket inet datagram")(lambda: socket.socket(socket.AF_INET, socket.SOCK_DGRAM).close())
act("socket unix")(lambda: socket.socket(socket.AF_UNIX).close())
act("socket pair")(lambda: [end.close() for end in socket.socketpair()] and None)
datagram = socket.SOCK_DGRAM
act("datagram pair")(lambda: [end.close() for end in socket.socketpair(type=datagram)] and None)


@act("look up localhost")
def _():
    try:
        socket.getaddrinfo("localhost", 80)
    except socket.gaierror as error:
        return "EAI_AGAIN" if error.errno == socket.EAI_AGAIN else str(error)


@act("look up localhost for IPv4")
def _():
    try:
        socket.gethostbyname("localhost")
    except socket.gaierror as error:
        return "EAI_NONAME" if error.errno == socket.EAI_NONAME else str(error)


act("signal 0 to itself")(lambda: os.kill(os.getpid(), 0))
act("signal 0 to the parent")(lambda: os.kill(os.getppid(), 0))
X86 = os.uname().machine == "x86_64"
act("clone3")(lambda: call(435, 0, 0, harmless=(errno.EINVAL,)))
act("io_uring_setup")(lambda: call(425, 0, 0, harmless=(errno.EFAULT, errno.EINVAL, errno.EPERM)))
watch = 254 if X86 else 27
act("inotify_add_watch")(lambda: call(watch, -1, 0, 1, harmless=(errno.EBADF, errno.EFAULT)))
act("memfd_create")(lambda: os.close(os.memfd_create("x")))
act("capget")(lambda: call(125 if X86 else 90, 0, 0, harmless=(errno.EFAULT,)))
# FUTEX_TRYLOCK_PI, private.
act("futex that has an owner")(lambda: call(202 if X86 else 98, 0, 8 | 128, 0, 0, 0, 0, harmless=(errno.EFAULT,)))
act("unshare")(lambda: call(272 if X86 else 97, 0))
# Bare, the kernel looks at the arguments and finds nothing that it could start, mount or make.
act("execve")(lambda: call(59 if X86 else 221, 0, 0, 0, harmless=(errno.EFAULT,)))
act("execveat")(lambda: call(322 if X86 else 281, -1, 0, 0, 0, 0, harmless=(errno.EFAULT,)))
act("mount")(lambda: call(165 if X86 else 40, 0, 0, 0, 0, 0, harmless=(errno.EFAULT,)))
act("shmget")(lambda: call(29 if X86 else 194, 0, 0, 0, harmless=(errno.EINVAL,)))
act("keyctl")(lambda: call(250 if X86 else 219, -1, 0, 0, 0, 0, harmless=(errno.EOPNOTSUPP,)))
act("sendfile")(lambda: call(40 if X86 else 71, -1, -1, 0, 0, harmless=(errno.EBADF,)))
act("splice")(lambda: call(275 if X86 else 76, -1, 0, -1, 0, 1, 0, harmless=(errno.EBADF,)))
act("landlock_create_ruleset")(lambda: call(444, 0, 0, 1))
act("seccomp")(lambda: call(317 if X86 else 277, 2, 0, 0, harmless=(errno.EFAULT,)))
act("a call that no kernel has")(lambda: call(4000, harmless=(errno.ENOSYS,) if BARE else ()))


@act("ioctl that asks for the block size")
def _():
    import array, fcntl

    with open(own + "/mode") as file:
        fcntl.ioctl(file, 2, array.array("i", [0]), True)  # FIGETBSZ


@act("fcntl that sizes a pipe")
def _():
    import fcntl

    ends = os.pipe()
    fcntl.fcntl(ends[1], 1031, 4096)  # F_SETPIPE_SZ


@act("prctl that sets dumpable")
def _():
    if library.prctl(4, 1, 0, 0, 0) == -1:  # PR_SET_DUMPABLE
        raise OSError(ctypes.get_errno(), "prctl")


act("setuid to itself")(lambda: os.setuid(os.getuid()))


@act("ask for no_new_privs")
def _():
    PR_SET_NO_NEW_PRIVS = 38
    if library.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == -1:
        raise OSError(ctypes.get_errno(), "prctl")


@act("map code that is written")
def _():
    mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC).close()


for name, function in ACTS:
    try:
        answer = function()
        answer = answer if isinstance(answer, str) else "done"
    except OSError as error:
        answer = errno.errorcode.get(error.errno, repr(error))
    except BaseException as error:
        answer = repr(error)
    # EOPNOTSUPP is the same number on Linux, and interpreters do not agree on the name.
    print("%s\t%s" % (name, answer.replace("EOPNOTSUPP", "ENOTSUP")), flush=True)
