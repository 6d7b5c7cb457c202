def load(path):
    import errno, sqlite3

    database = sqlite3.connect(":memory:")
    if not hasattr(database, "enable_load_extension"):
        raise OSError(errno.ENOSYS, "this interpreter is built without extensions of SQLite")
    database.enable_load_extension(True)
    try:
        database.execute("select load_extension(?)", (path,))
    except sqlite3.OperationalError as error:
        # It was loaded, and lacks what an extension needs.
        if "undefined symbol" not in str(error):
            raise


