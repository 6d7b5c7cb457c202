def tcl(scene, script):
    """Runs a script of Tcl, and raises the errno that stopped it."""
    import errno

    try:
        import _tkinter
    except ModuleNotFoundError:
        raise OSError(errno.ENOSYS, "this interpreter is built without Tcl")
    # Tcl reads a script of its own when it starts: a program that has none brings it.
    open(scene.run + "/init.tcl", "w").close()
    os.environ["TCL_LIBRARY"] = scene.run
    interpreter = _tkinter.create(None, "tcl", "Tcl", False, False, False)
    try:
        return interpreter.eval(script)
    except _tkinter.TclError as error:
        reason = str(interpreter.eval("set ::errorCode")).split()
        if reason[0] == "POSIX":
            raise OSError(getattr(errno, reason[1]), str(error))
        raise


