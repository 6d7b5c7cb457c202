def attempt(scene):
    os.execv("/bin/sh", shell(scene))
