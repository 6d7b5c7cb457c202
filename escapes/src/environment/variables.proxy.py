def attempt(scene):
    return " ".join(v for k, v in os.environ.items() if k.lower().endswith("_proxy")).encode()
