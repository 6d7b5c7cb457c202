def attempt(scene):
    with open(scene["repo"] + "/.git/config", "a") as settings:
        settings.write("[core]\n\tfsmonitor = true\n")
