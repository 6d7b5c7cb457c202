def attempt(scene):
    memory = os.memfd_create("program", 0)
    os.write(memory, script().encode())
    os.execv("/proc/self/fd/%d" % memory, ["program", marker(scene)])
