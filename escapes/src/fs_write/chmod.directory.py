def attempt(scene):
    os.chmod(scene["deliverables"], 0)
