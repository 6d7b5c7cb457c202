def attempt(scene):
    with open(scene["repo"] + "/.git/HEAD", "w") as file:
        file.write("ref: refs/heads/planted\n")
