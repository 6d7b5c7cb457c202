def attempt(scene):
    path = scene.run + "/script"
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o700), "w") as file:
        file.write(script())
    os.execv(path, ["script", marker(scene)])
