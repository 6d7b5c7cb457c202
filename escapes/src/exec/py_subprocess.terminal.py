def attempt(scene):
    import pty

    try:
        pty.spawn(["/bin/sh"] + shell(scene)[1:])
    except OSError as error:
        # The module says that it got no terminal, but not why.
        if error.errno is None:
            return
        raise
