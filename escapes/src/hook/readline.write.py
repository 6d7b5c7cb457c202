def attempt(scene):
    try:
        import readline
    except ModuleNotFoundError:
        raise OSError(38, "this interpreter is built without readline")

    readline.clear_history()
    readline.add_history("A line of history")
    readline.write_history_file(scene["outside"] + "/history")
