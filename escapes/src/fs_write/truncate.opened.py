def attempt(scene):
    os.close(os.open(scene["writable"], os.O_RDONLY | os.O_TRUNC))
