def attempt(scene):
    link = scene.run + "/link"
    os.symlink(".." + "/.." * 64 + scene["secret"], link)
    try:
        with open(link, "rb") as file:
            return file.read()
    finally:
        os.remove(link)
