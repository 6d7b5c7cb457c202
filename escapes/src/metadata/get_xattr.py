def attempt(scene):
    return os.getxattr(scene["attributed"], "user.decoy")
