def attempt(scene):
    scene.show("baseline")
    if hasattr(os, "unshare"):
        os.unshare(os.CLONE_NEWUSER)
    else:
        # Before Python 3.12 only C has it.
        import ctypes

        if ctypes.CDLL(None, use_errno=True).unshare(0x10000000) != 0:
            raise OSError(ctypes.get_errno(), "unshare")
    scene.show("check")
