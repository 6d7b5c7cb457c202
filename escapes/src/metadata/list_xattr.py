def attempt(scene):
    return "\n".join(os.listxattr(scene["named"])).encode()
