def attempt(scene):
    import sqlite3

    path = scene["outside"] + "/database"
    try:
        database = sqlite3.connect(path, isolation_level=None)
        database.execute("create table here (it)")
        database.close()
    except sqlite3.OperationalError:
        # SQLite says in one word what the kernel answered in another: ask for the same file.
        os.close(os.open(path, os.O_RDWR | os.O_CREAT))
        raise
