def attempt(scene):
    secret = int(scene["inherited-secret"])
    os.fstat(secret)
    with open("/proc/self/fd/%d" % secret, "rb") as file:
        return file.read()
