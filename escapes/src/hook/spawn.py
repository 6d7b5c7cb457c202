def attempt(scene):
    import multiprocessing.util

    pid = multiprocessing.util.spawnv_passfds(b"/bin/sh", [os.fsencode(w) for w in shell(scene)], [])
    os.waitpid(pid, 0)
