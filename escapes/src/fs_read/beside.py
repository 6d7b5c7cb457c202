def attempt(scene):
    refused = None
    for folder in ("/usr/lib", "/usr/local/lib", "/opt", "/usr"):
        try:
            held = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        except FileNotFoundError:
            continue
        except OSError as error:
            refused = error
            continue
        scene.show("reads " + folder)
        os.close(held)
        return b""
    raise refused
