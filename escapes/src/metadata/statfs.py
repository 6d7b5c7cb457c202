def attempt(scene):
    os.lstat(scene["metadata"])
    token = 0
    for number in range(128):
        try:
            os.statvfs("%s/%d" % (scene["metadata"], number))
            there = True
        except FileNotFoundError:
            there = False
        token = 2 * token + there
    return b"%032x" % token
