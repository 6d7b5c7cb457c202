def attempt(scene):
    os.waitpid(start(carry(scene), scene), 0)
