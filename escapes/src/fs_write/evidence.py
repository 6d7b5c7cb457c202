def attempt(scene):
    with open(scene["deliverables"] + "/report.txt", "w") as file:
        file.write("all passed\n")
