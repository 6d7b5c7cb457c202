def attempt(scene):
    held = open("/dev/loop0", "rb", buffering=0)
    scene.show("descriptor /dev/loop0")
