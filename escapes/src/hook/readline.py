def attempt(scene):
    try:
        import readline
    except ModuleNotFoundError:
        raise OSError(38, "this interpreter is built without readline")

    readline.clear_history()
    # A line counts when it ends, and the secret itself does not.
    readline.read_history_file(scene["repo"] + "/.git/config")
    lines = [readline.get_history_item(1 + n) for n in range(readline.get_current_history_length())]
    return "\n".join(lines).encode()
