def attempt(scene):
    held = open("/proc/sys/kernel/core_pattern", "wb", buffering=0)
    scene.show("descriptor /proc/sys/kernel/core_pattern")
