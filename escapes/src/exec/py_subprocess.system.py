def attempt(scene):
    os.system(line(scene))
