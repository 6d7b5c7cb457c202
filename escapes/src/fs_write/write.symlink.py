def attempt(scene):
    link = scene.run + "/link"
    os.symlink(scene["writable"], link)
    with open(link, "ab") as file:
        file.write(b"changed")
