def attempt(scene):
    with open(scene["deliverables"] + "/report.txt", "ab") as file:
        file.write(b"planted\n")
