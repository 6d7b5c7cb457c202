"""The audit hook. It is the mechanism and holds no list: policy and rules are data.

The program shares the process with the hook, so nothing that it can reach may be able to change a decision:

* `judge` and the functions that it guards look up no name. What they use comes with each call as their own default
  arguments, so patching a module, the builtins or `f_globals` changes nothing. Even methods are captured, because
  `str.__dict__ == x` hands the writable dictionary of a built-in type to `x.__eq__`.
* Defaults and not closure cells: each refusal hands out its frame with the traceback, and since Python 3.13 (PEP 667)
  what is written to its `f_locals` goes through to cells. No default can be changed, but for the exit status.
* No code of the program runs inside a decision. The type of each value is looked at first; the content of a subclass of
  str or bytes is taken by the method of its base; all else is refused.
* An exception in a hook aborts the operation, so whatever goes wrong here refuses.
"""

import _imp
import posix
import sys


def install(policy, rules, status):
    """Adds the hook. `status` is one byte, the exit status to leave with when the interpreter ends."""

    def resolve(
        path, follow,
        lstat=posix.lstat, readlink=posix.readlink, getcwd=posix.getcwd, split=str.split, join=str.join,
        pop=list.pop, append=list.append, extend=list.extend, reverse=list.reverse,
        absent=(FileNotFoundError, NotADirectoryError), failures=(OSError, ValueError),
    ):  # fmt: skip
        """The path without links that the kernel would reach, or None. `follow` also follows a link in last place."""
        if path[:1] != "/":
            path = getcwd() + "/" + path
        todo = split(path, "/")
        reverse(todo)
        done = []
        links = 0
        while todo:
            part = pop(todo)
            if part == "" or part == ".":
                continue
            if part == "..":
                if done:
                    pop(done)
                continue
            append(done, part)
            if not follow and not todo:
                break
            here = "/" + join("/", done)
            try:
                kind = lstat(here)[0] & 0o170000
            except absent:
                continue
            except failures:
                return None
            if kind != 0o120000:
                continue
            links += 1
            if links > 40:
                return None
            try:
                target = readlink(here)
            except failures:
                return None
            pop(done)
            if target[:1] == "/":
                done = []
            parts = split(target, "/")
            reverse(parts)
            extend(todo, parts)
        return "/" + join("/", done)

    def unlisted(name, modules=frozenset(rules["modules"]), type=type, str=str, denied=ImportError):
        """The name, which is the plain text of a permitted module."""
        if type(name) is str and name not in modules:
            return name
        raise denied("Operation not permitted: '_imp.create_builtin'")

    def create_builtin(name, create=_imp.create_builtin, spec=type(sys.implementation), unlisted=unlisted):
        """Creates a built-in module. A program that asks importlib for one directly raises no import event."""
        # Any failure, if only for want of stack, shows the locals of this frame. The real function leaves them first.
        return (create, create := None)[0](spec(name=unlisted(name)))

    def judge(
        event, args,
        names=tuple(rules["arguments"]), checks=tuple(map(rows, rules["arguments"].values())),
        allowed=frozenset(rules["allowed"]), namespaces=tuple(rules["namespaces"]), fatal=frozenset(rules["fatal"]),
        guarded=frozenset(rules["guarded"]), own=(resolve, unlisted, create_builtin),
        modules=frozenset(rules["modules"]), native=roots(policy["native_modules"]),
        write_flags=sum(rules["write_flags"]), write_modes=frozenset(rules["write_modes"]),
        read=roots(policy["read"] + policy["write"]), write=roots(policy["write"]), status=status, resolve=resolve,
        exit=posix._exit, stat=posix.stat, getpid=posix.getpid, fspath=posix.fspath,
        text=str.__str__, decode=bytes.decode, startswith=str.startswith, partition=str.partition,
        rpartition=str.rpartition, index=tuple.index,
        type=type, issubclass=issubclass, str=str, bytes=bytes, int=int, frozenset=frozenset,
        denied=PermissionError, unimportable=ImportError, anything=BaseException,
        absent=(FileNotFoundError, NotADirectoryError),
    ):  # fmt: skip
        """Returns to permit the event, raises to refuse it."""
        tampered = event in fatal
        if event in guarded:
            for function in own:
                if args[0] is function:
                    tampered = True
        if tampered:
            # A refusal would be ignored, or come too late: the next step leaves the interpreter without its hook.
            try:
                exit(status[0])
            except anything:
                exit(86)

        if event == "import":
            name, file = text(args[0]), args[1]
            if file is None:
                permitted = name not in modules
            else:
                # An extension module. The last part of its name chooses the initialiser, wherever the file is.
                file = text(file)
                place = resolve(file, True)
                permitted = place is not None and startswith(place + "/", native)
                permitted = permitted and rpartition(name, ".")[2] not in modules
            if permitted:
                return
            raise unimportable("Operation not permitted: '" + (file or name) + "'")

        if event not in names:
            if event in allowed or not startswith(event, namespaces):
                return
            raise denied(1, "Operation not permitted", event)

        for position, directory, check in checks[index(names, event)]:
            value = args[position]
            kind = type(value)
            if type(check) is frozenset:
                if (kind is int or value is None) and value in check:
                    continue
                raise denied(1, "Operation not permitted", event)
            if check == "own_process":
                if kind is int and value == getpid():
                    continue
                raise denied(1, "Operation not permitted", event)
            if check == "database" and not issubclass(kind, (str, bytes)):
                # The only call into the program. A path that changes before sqlite3 asks gains no more than ATTACH.
                value = fspath(value)
                kind = type(value)

            if issubclass(kind, str):
                value = text(value)
            elif issubclass(kind, bytes):
                value = decode(value, "utf-8", "surrogateescape")
            elif value is None:
                value = "."
            elif kind is int and check == "metadata":
                value = "/proc/self/fd/%d" % value
            elif kind is int:
                continue  # It was judged when it was opened.
            else:
                raise denied(1, "Operation not permitted", event)
            path = value

            if check == "open":
                mode, flags = args[1], args[2]
                check = "write" if flags & write_flags else "read"
                if mode is None:
                    # os.open, which does not report its dir_fd.
                    if path[:1] != "/":
                        raise denied(1, "Operation not permitted", value)
                else:
                    # fopen in C reports 0 for flags.
                    for letter in mode:
                        if letter in write_modes:
                            check = "write"
            elif check == "database":
                if startswith(path, "file:"):
                    path = partition(partition(path[5:], "?")[0], "#")[0]
                    if startswith(path, "//"):
                        path = "/" + partition(path[2:], "/")[2]
                    if "%" in path:
                        raise denied(1, "Operation not permitted", value)
                if path == ":memory:":
                    continue
            elif directory is not None and args[directory] != -1 and path[:1] != "/":
                path = "/proc/self/fd/%d/%s" % (args[directory], path)

            # Metadata events do not say if they follow a link, so both the link and its target must be granted.
            for follow in (False,) if check == "entry" else (False, True) if check == "metadata" else (True,):
                place = resolve(path, follow)
                if check == "entry" and place is not None:
                    place = rpartition(place, "/")[0]
                if place is not None and startswith(place + "/", read if check == "read" else write):
                    continue
                if check == "read":
                    # What does not exist cannot be read, and honest programs expect to be told so.
                    try:
                        stat(path)
                    except absent:
                        continue
                if event == "os.mkdir":
                    # What exists cannot be made, and makedirs expects to be told so.
                    try:
                        stat(path)
                        continue
                    except anything:
                        pass
                raise denied(1, "Operation not permitted", value)

    _imp.create_builtin = lambda spec: create_builtin(str.__str__(spec.name))
    sys.addaudithook(judge)


def rows(arguments):
    """The checks of one event as immutable (position, directory, check); a check by values is a frozenset."""
    checks = [row["check"] for row in arguments]
    checks = [frozenset(check["one_of"]) if isinstance(check, dict) else check for check in checks]
    return tuple((row["position"], row["directory"], check) for row, check in zip(arguments, checks))


def roots(paths):
    """The paths with a slash behind each: `startswith(place + "/", roots)` is true at and under them alone."""
    return tuple(path.rstrip("/") + "/" for path in paths)
