def attempt(scene):
    place = os.open(scene["secret"], os.O_PATH)
    try:
        with open("/dev/fd/%d" % place, "rb") as file:
            return file.read()
    finally:
        os.close(place)
