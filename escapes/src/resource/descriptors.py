def attempt(scene):
    held = []
    try:
        for _ in range(128):
            held.append(open(scene.run + "/neighbour"))
        until_seen(scene)
    finally:
        while held:
            held.pop().close()
