def load(path):
    import errno, sqlite3

    database = sqlite3.connect(":memory:")
    if not hasattr(database, "enable_load_extension"):
        raise OSError(errno.ENOSYS, "this interpreter is built without extensions of SQLite")
    database.enable_load_extension(True)
    try:
        database.execute("select load_extension(?)", (path,))
    except sqlite3.OperationalError as error:
        # It was loaded, and lacks what an extension needs: in the words of Linux, of macOS, of SQLite.
        lacks = "undefined symbol", "symbol not found", "no entry point"
        if not any(words in str(error) for words in lacks):
            raise


