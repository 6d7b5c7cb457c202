def attempt(scene):
    bait = scene.run + "/bait"
    os.rename(scene["listing"], bait)
    try:
        return b"\n".join(os.listdir(os.fsencode(bait)))
    finally:
        os.rename(bait, scene["listing"])
