def attempt(scene):
    with open("/proc/%s/fd/%s" % (scene["victim"], scene["victim-fd"]), "rb") as file:
        return file.read()
