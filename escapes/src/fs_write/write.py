def attempt(scene):
    file = os.open(scene["writable"], os.O_WRONLY)
    os.write(file, b"changed")
    os.close(file)
