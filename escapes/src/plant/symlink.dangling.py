def attempt(scene):
    link = scene.run + "/link"
    os.symlink(scene["deliverables"] + "/planted", link)
    with open(link, "wb") as file:
        file.write(b"planted")
