def attempt(scene):
    with open("/proc/%s/environ" % scene["victim"], "rb") as file:
        return file.read()
