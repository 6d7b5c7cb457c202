def attempt(scene):
    with open("/proc/self/cwd" + "/.." * 64 + scene["secret"], "rb") as file:
        return file.read()
