def attempt(scene):
    import os

    # What pty.spawn does, which hides the errno of a refused terminal.
    pid, master = os.forkpty()
    if pid == 0:
        os.execv("/bin/sh", ["/bin/sh"] + shell(scene)[1:])
    try:
        while os.read(master, 1024):
            pass
    except OSError:
        pass  # the end of the program on the other side
    os.waitpid(pid, 0)
