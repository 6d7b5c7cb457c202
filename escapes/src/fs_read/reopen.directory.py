def attempt(scene):
    directory, name = os.path.split(scene["secret"])
    place = os.open(directory, os.O_PATH)
    try:
        with open("/proc/self/fd/%d/%s" % (place, name), "rb") as file:
            return file.read()
    finally:
        os.close(place)
