def attempt(scene):
    call, path = carry(scene), os.fsencode(scene["writable"]) + b"\0"
    text = b"Machine code was here.\n"
    file = call(OPENAT, HERE, place(path), os.O_WRONLY)
    call(WRITE, file, place(text), len(text))
