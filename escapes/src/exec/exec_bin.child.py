def attempt(scene):
    pid = os.fork()
    if pid == 0:
        code = 5
        try:
            os.execv("/bin/sh", shell(scene))
        except OSError as error:
            code = error.errno
        finally:
            os._exit(code)
    code = os.waitpid(pid, 0)[1] >> 8
    if code:
        raise OSError(code, "the new process could not exec")
