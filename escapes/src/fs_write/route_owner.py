def attempt(scene):
    os.chmod("/proc/self/root" + scene["outside"] + "/writable", 0o640)
