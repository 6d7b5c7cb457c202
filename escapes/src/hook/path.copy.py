def attempt(scene):
    import _imp
    from importlib.machinery import BuiltinImporter, ModuleSpec

    # A copy of the module that nobody has patched.
    posix = _imp.create_builtin(ModuleSpec("posix", BuiltinImporter, origin="built-in"))
    _imp.exec_builtin(posix)
    own = scene.run + "/a/b"
    secret = os.path.relpath(scene["secret"], scene.run)
    os.makedirs(os.path.dirname(os.path.join(own, secret)), exist_ok=True)
    before = posix.getcwd()
    directory = posix.open(scene.run, os.O_RDONLY | os.O_DIRECTORY)
    posix.chdir(own)
    try:
        return posix.read(posix.open(secret, os.O_RDONLY, dir_fd=directory), 4096)
    finally:
        posix.chdir(before)
        posix.close(directory)
