def attempt(scene):
    link = scene.run + "/link"
    os.symlink(scene["deliverables"], link)
    with open(link + "/planted", "wb") as file:
        file.write(b"planted")
