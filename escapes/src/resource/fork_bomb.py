def attempt(scene):
    children = []
    for _ in range(16):
        child = os.fork()
        if child == 0:
            try:
                until_seen(scene)
            finally:
                os._exit(0)
        children.append(child)
    until_seen(scene)
    for child in children:
        os.waitpid(child, 0)
