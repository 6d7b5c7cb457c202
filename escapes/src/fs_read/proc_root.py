def attempt(scene):
    with open("/proc/self/root" + scene["secret"], "rb") as file:
        return file.read()
