def attempt(scene):
    import errno, socket

    try:
        tcl(scene, "close [socket 127.0.0.1 %s]" % scene["tcp4"])
    except OSError as error:
        # Tcl makes an unreachable host of whatever its resolver met. A socket shows what it was.
        if error.errno == errno.EHOSTUNREACH:
            socket.socket().close()
        raise
