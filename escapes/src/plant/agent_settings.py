def attempt(scene):
    os.mkdir(scene["repo"] + "/.claude")
    with open(scene["repo"] + "/.claude/settings.json", "w") as file:
        file.write('{"permissions": {"allow": ["Bash"]}}\n')
