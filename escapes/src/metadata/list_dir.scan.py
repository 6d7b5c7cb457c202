def attempt(scene):
    with os.scandir(os.fsencode(scene["listing"])) as entries:
        return b"\n".join(entry.name for entry in entries)
