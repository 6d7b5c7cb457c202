def attempt(scene):
    tcl(scene, "close [socket 127.0.0.1 %s]" % scene["tcp4"])
