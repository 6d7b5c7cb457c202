def attempt(scene):
    import codecs

    codecs.register_error("late", Late(scene["secret"]))
