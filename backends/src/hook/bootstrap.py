"""Starts the hook and runs a program under it: python -I -S -B -X utf8 -u -c THIS RULES PROGRAM ARGUMENTS.

THIS is judge.py followed by this file, RULES the policy and the rules as JSON. The program runs as the interpreter
would run it as a script, and finds nothing of what was here before it but functions that are of no use to it.
"""

import _json
import builtins

class Open:
    """os.open, but the event shows where a relative path starts. An instance, as a function in a class is a method."""

    def __init__(self, open):
        self.open = open

    def __call__(self, path, flags, mode=0o777, *, dir_fd=None):
        path = posix.fspath(path)
        if isinstance(path, bytes):
            path = path.decode("utf-8", "surrogateescape")
        if path and path[0] != "/":
            path = (posix.getcwd() if dir_fd is None else "/proc/self/fd/%d" % dir_fd) + "/" + path
        return self.open(path, flags, mode)


def refusing(name):
    def refuse(*args, **kwargs):
        raise PermissionError(1, "Operation not permitted", name)

    return refuse


def ease(rules):
    """Spares honest programs some refusals. Nothing here protects: what goes around it is judged or refused."""
    # os.py is loaded later and takes its functions from posix. Without /proc, shutil must not count on dir_fd.
    posix.open = Open(posix.open)
    try:
        posix.stat("/proc/self/fd")
    except OSError:
        posix._have_functions.remove("HAVE_OPENAT")
    # asyncio imports subprocess, which imports what starts processes without an event.
    for name, functions in rules["refusing"].items():
        sys.modules[name] = module = type(sys)(name)
        for function in functions:
            setattr(module, function, refusing(name + "." + function))


def start():
    """Reads the rules, without `import json`, which would double the time to start."""

    class Scanner:
        strict, memo = True, {}
        object_hook = object_pairs_hook = parse_constant = None
        parse_float, parse_int = float, int

    given = _json.make_scanner(Scanner)(sys.argv[1], 0)[0]
    sys.argv = sys.argv[2:]
    if hasattr(sys, "orig_argv"):
        sys.orig_argv = sys.orig_argv[: sys.orig_argv.index("-c")] + sys.argv
    status = bytearray([86])
    ease(given["rules"])
    install(given["policy"], given["rules"], status)
    return status


def run(program, status):
    """Runs the program as the interpreter runs a script, and ends with SystemExit.

    The interpreter then ends in its usual order: threads, exit functions, modules with the files that they left open.
    When it comes to its hooks, the hook leaves with `status`, so that no finaliser runs without it.
    """
    main = type(sys)("__main__")
    loader = sys.modules["_frozen_importlib_external"].SourceFileLoader("__main__", program)
    main.__dict__.update(__annotations__={}, __builtins__=builtins, __cached__=None)
    main.__dict__.update(__file__=program, __loader__=loader)
    sys.modules["__main__"] = main
    code = None
    try:
        try:
            with builtins.open(program, "rb") as file:
                source = file.read()
        except OSError as error:
            reason = (sys.executable, program, error.errno, error.strerror)
            sys.stderr.write("%s: can't open file %r: [Errno %s] %s\n" % reason)
            raise SystemExit(2) from None
        code = compile(source, program, "exec")
        exec(code, main.__dict__)
        status[0] = 0
    except SystemExit as stop:
        # The interpreter prints a code that is not a number.
        status[0] = 0 if stop.code is None else stop.code & 255 if isinstance(stop.code, int) else 1
        raise
    except BaseException as error:
        status[0] = ending(error)
        sys.excepthook(type(error), error, trim(error, code))
    raise SystemExit(status[0])


def ending(error):
    """The exit status of a program that an exception ended: 218 if the hook refused, 219 if memory ran out."""
    if isinstance(error, KeyboardInterrupt):
        return 130
    if isinstance(error, MemoryError):
        return 219
    step = error.__traceback__
    while step is not None and step.tb_next is not None:
        step = step.tb_next
    ours = step is not None and step.tb_frame.f_globals is globals() and step.tb_frame.f_code is not run.__code__
    return 218 if ours else 1


def trim(error, code):
    """Cuts the frames of this file off both ends of the traceback."""
    trace = error.__traceback__
    while trace is not None and trace.tb_frame.f_code is not code:
        trace = trace.tb_next
    error.__traceback__ = step = trace
    while step is not None and step.tb_next is not None:
        if step.tb_next.tb_frame.f_globals is globals():
            step.tb_next = None
        step = step.tb_next
    return trace


status = start()
del start, ease, refusing, install, rows, roots
run(sys.argv[0], status)
