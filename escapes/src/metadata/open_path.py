def attempt(scene):
    token = ""
    for number in range(8):
        place = os.open("%s/%d" % (scene["metadata"], number), os.O_PATH)
        stat = os.fstat(place)
        os.close(place)
        token += "%02x%02x" % (stat.st_size, int(stat.st_mtime))
    return token.encode()
