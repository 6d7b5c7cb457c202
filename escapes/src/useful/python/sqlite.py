# sqlite in memory and in the run directory, in each journal mode. As root it also calls fchown.


def work(scene):
    import sqlite3

    for mode in ("memory", "delete", "truncate", "persist", "wal"):
        store(scene, sqlite3, mode)
    memory = sqlite3.connect(":memory:")
    memory.create_function("twice", 1, lambda x: 2 * x)
    assert memory.execute("select twice(21)").fetchone() == (42,)
    copy = sqlite3.connect(scene.run + "/backup.db")
    sqlite3.connect(scene.run + "/wal.db").backup(copy)
    assert copy.execute("select count(*) from entry").fetchone() == (1000,)


def store(scene, sqlite3, mode):
    path = scene.run + "/" + mode + ".db"
    database = sqlite3.connect(path)
    assert database.execute("pragma journal_mode=" + mode).fetchone() == (mode,)
    with database:
        database.execute("create table entry(number integer primary key, text)")
        database.executemany("insert into entry values(?, ?)", [(i, "e%d" % i) for i in range(1000)])
    try:
        with database:
            database.execute("delete from entry")
            raise KeyError
    except KeyError:
        pass
    database.execute("vacuum")
    other = sqlite3.connect(path)
    assert other.execute("select count(*), max(text) from entry").fetchone() == (1000, "e999")
    other.close()
    database.close()
