def attempt(scene):
    words = shell(scene)
    tcl(scene, "exec /bin/sh {%s} {%s} {%s}" % tuple(words[1:]))
