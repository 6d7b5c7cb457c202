def attempt(scene):
    import pty

    pty.spawn(["/bin/sh"] + shell(scene)[1:])
