def attempt(scene):
    bait = scene.run + "/bait"
    os.rename(scene["secret"], bait)
    try:
        with open(bait, "rb") as file:
            return file.read()
    finally:
        os.rename(bait, scene["secret"])
