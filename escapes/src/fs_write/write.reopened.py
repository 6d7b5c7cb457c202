def attempt(scene):
    place = os.open(scene["writable"], os.O_PATH)
    with open("/proc/self/fd/%d" % place, "wb") as file:
        file.write(b"changed")
    os.close(place)
