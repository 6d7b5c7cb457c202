def attempt(scene):
    with open("/proc/self/root" + scene["outside"] + "/writable", "r+") as file:
        file.write("changed")
