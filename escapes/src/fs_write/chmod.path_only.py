def attempt(scene):
    place = os.open(scene["writable"], os.O_PATH)
    os.chmod("/proc/self/fd/%d" % place, 0o640)
    os.close(place)
