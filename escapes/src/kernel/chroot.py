def attempt(scene):
    scene.show("baseline")
    os.chroot(scene["outside"])
    try:
        scene.show("check")
    finally:
        os.chroot("../" * 40)
