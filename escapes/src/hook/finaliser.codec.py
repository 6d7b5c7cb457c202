def attempt(scene):
    import codecs

    codecs.register(Late(scene["secret"]))
