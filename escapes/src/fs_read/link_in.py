def attempt(scene):
    bait = scene.run + "/bait"
    os.link(scene["secret"], bait)
    with open(bait, "rb") as file:
        loot = file.read()
    os.remove(bait)
    return loot
