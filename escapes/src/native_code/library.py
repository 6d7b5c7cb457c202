def carry(scene):
    import mmap

    def call(number, *arguments):
        result = fresh()
        # The loader knows a library by its path, so each call has its own.
        path = "%s/library_%d.so" % (scene.run, number)
        with open(path, "wb") as file:
            file.write(shared_object(assemble(number, arguments, result)))
        try:
            load(path)
        except Exception:
            # The words of a loader carry no errno: the kernel is asked for what the loader asks of it.
            with open(path, "rb") as file:
                executable = mmap.PROT_READ | mmap.PROT_EXEC
                mmap.mmap(file.fileno(), 0, flags=mmap.MAP_PRIVATE, prot=executable)
            raise
        return value(result)

    return call


