def attempt(scene):
    secret = int(scene["inherited-secret"])
    os.fstat(secret)
    with open("/proc/self/fd/%d" % secret, "r+b") as file:
        file.write(b"changed")
