MORE = []


def attempt(scene):
    execute("vacuum into ?", scene["outside"] + "/database")
