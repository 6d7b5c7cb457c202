def attempt(scene):
    os.fchdir(int(scene["inherited-directory"]))
    try:
        with open("secret", "rb") as file:
            return file.read()
    finally:
        os.chdir(scene.run)
