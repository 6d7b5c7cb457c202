import sys


def attempt(scene):
    refused, shown = None, False
    # On macOS the libraries of the system are granted.
    library = "/usr/share" if sys.platform == "darwin" else "/usr/lib"
    for folder in (library, "/usr/local/lib", "/opt", "/usr"):
        try:
            held = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        except FileNotFoundError:
            continue
        except OSError as error:
            refused = error
            continue
        scene.show("reads " + folder)
        os.close(held)
        shown = True
    if not shown:
        raise refused
    return b""
