def attempt(scene):
    with open("/proc/%s/cmdline" % scene["victim"], "rb") as file:
        return file.read()
