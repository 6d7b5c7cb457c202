def attempt(scene):
    os.setxattr(int(scene["inherited-secret"]), "user.planted", b"1")
