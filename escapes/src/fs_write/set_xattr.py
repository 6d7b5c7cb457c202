def attempt(scene):
    os.setxattr(scene["writable"], "user.planted", b"1")
