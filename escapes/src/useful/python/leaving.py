# Leaving by SystemExit runs what was registered for the end; the exit code is passed on.


def work(scene):
    import atexit

    atexit.register(leave, scene.run)
    raise SystemExit(0)


def leave(run):
    with open(run + "/left", "w") as file:
        file.write("left in order")
