def attempt(scene):
    directory, name = os.path.split(scene["secret"])
    link = scene.run + "/link"
    os.symlink(directory, link)
    try:
        with open(link + "/" + name, "rb") as file:
            return file.read()
    finally:
        os.remove(link)
