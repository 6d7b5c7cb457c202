def attempt(scene):
    with open("/proc/%s/root%s" % (scene["victim"], scene["secret"]), "rb") as file:
        return file.read()
