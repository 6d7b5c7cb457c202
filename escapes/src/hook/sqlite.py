def execute(statement, path):
    """SQL opens files of its own. The database tells in one word what the kernel answered in another."""
    import sqlite3

    database = sqlite3.connect(":memory:", isolation_level=None)
    try:
        database.execute(statement, (path,))
        for more in MORE:
            database.execute(more)
    except sqlite3.OperationalError as error:
        if "unable to open" in str(error):
            raise OSError(refusal(path), "the database cannot open it")
        raise
    finally:
        database.close()


def refusal(path):
    """The errno of creating the same file, which SQLite does not pass on."""
    try:
        os.close(os.open(path, os.O_RDWR | os.O_CREAT))
    except OSError as error:
        return error.errno
    return 5


