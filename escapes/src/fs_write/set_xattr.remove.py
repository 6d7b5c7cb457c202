def attempt(scene):
    os.removexattr(scene["attributed"], "user.decoy")
