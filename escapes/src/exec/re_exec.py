def attempt(scene):
    os.execv(sys.executable, [sys.executable, "-ISc", PYTHON, marker(scene)])
