def attempt(scene):
    with open("/proc/%s/mem" % scene["victim"], "rb", buffering=0) as memory:
        memory.seek(int(scene["victim-address"], 16))
        return memory.read(int(scene["victim-length"]))
