def attempt(scene):
    return tcl(scene, "read [open {%s}]" % scene["secret"]).encode()
