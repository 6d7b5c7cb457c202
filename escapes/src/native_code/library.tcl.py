def load(path):
    import errno

    try:
        import _tkinter
    except ModuleNotFoundError:
        raise OSError(errno.ENOSYS, "this interpreter is built without Tcl")
    # Tcl reads a script of its own when it starts: a program that has none brings it.
    open(os.path.dirname(path) + "/init.tcl", "w").close()
    os.environ["TCL_LIBRARY"] = os.path.dirname(path)
    try:
        _tkinter.create(None, "tcl", "Tcl", False, False, False).call("load", path, "Nothing")
    except _tkinter.TclError as error:
        # It was loaded, and lacks what an extension needs.
        if "Nothing_Init" not in str(error):
            raise


