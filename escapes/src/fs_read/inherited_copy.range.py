def attempt(scene):
    with open(scene.run + "/copy", "wb") as own:
        os.copy_file_range(int(scene["inherited-secret"]), own.fileno(), 4096, offset_src=0)
