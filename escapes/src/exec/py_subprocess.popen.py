def attempt(scene):
    os.popen(line(scene)).close()
