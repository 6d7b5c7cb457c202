def attempt(scene):
    os.waitpid(os.posix_spawn("/bin/sh", shell(scene), {}), 0)
