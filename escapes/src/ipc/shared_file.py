import fcntl


def attempt(scene):
    log = int(scene["inherited-log"])
    fcntl.fcntl(log, fcntl.F_SETFL, fcntl.fcntl(log, fcntl.F_GETFL) & ~os.O_APPEND)
    os.pwrite(log, b"Nothing happened.", 0)
