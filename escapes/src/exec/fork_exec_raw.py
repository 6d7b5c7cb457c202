def attempt(scene):
    import _posixsubprocess

    arguments = [sys.executable, "-ISc", PYTHON, marker(scene)]
    near, far = os.pipe()
    common = [
        [os.fsencode(argument) for argument in arguments], [os.fsencode(sys.executable)],
        True, (far,), None, None, -1, -1, -1, -1, -1, -1, near, far, False, False,
    ]
    # The end of the argument list, from 3.11, from 3.9 and before.
    for rest in [-1, None, None, None, -1, None, True], [None, None, None, -1, None], [None]:
        try:
            pid = _posixsubprocess.fork_exec(*(common + rest))
            break
        except TypeError:
            continue
    os.close(far)
    error = os.read(near, 64)
    os.waitpid(pid, 0)
    if error:
        raise OSError(int(error.split(b":")[1], 16), "the new process could not exec")
