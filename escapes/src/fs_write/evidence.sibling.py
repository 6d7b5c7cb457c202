def attempt(scene):
    with open(scene.run + "/../result.json", "w") as file:
        file.write("{}")
