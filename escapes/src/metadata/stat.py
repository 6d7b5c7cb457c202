def attempt(scene):
    token = ""
    for number in range(8):
        stat = os.stat("%s/%d" % (scene["metadata"], number))
        token += "%02x%02x" % (stat.st_size, int(stat.st_mtime))
    return token.encode()
