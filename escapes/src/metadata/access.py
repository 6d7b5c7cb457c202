def attempt(scene):
    os.lstat(scene["metadata"])
    token = 0
    for number in range(128):
        token = 2 * token + os.access("%s/%d" % (scene["metadata"], number), os.F_OK)
    return b"%032x" % token
