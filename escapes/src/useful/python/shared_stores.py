# One database, several connections: threads that write by turns, readers beside a writer, and a reader
# that must change nothing.


def work(scene):
    import sqlite3, threading

    path = scene.run + "/shared.db"
    first = sqlite3.connect(path, timeout=10, isolation_level=None)
    assert first.execute("pragma journal_mode=wal").fetchone() == ("wal",)
    first.execute("pragma synchronous=off")
    first.execute("create table entry(number integer)")

    def write():
        own = sqlite3.connect(path, timeout=10, isolation_level=None)
        for number in range(25):
            own.execute("begin immediate")
            own.execute("insert into entry values(?)", (number,))
            own.execute("commit")
        own.close()

    threads = [threading.Thread(target=write) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    first.execute("begin immediate")
    first.execute("delete from entry")
    reader = sqlite3.connect("file:%s?mode=ro" % path, uri=True)
    assert reader.execute("select count(*) from entry").fetchone() == (100,)
    first.execute("rollback")
    reader.close()
    assert first.execute("pragma wal_checkpoint(truncate)").fetchone()[0] == 0
    fixed = sqlite3.connect("file:%s?mode=ro&immutable=1" % path, uri=True)
    assert fixed.execute("select sum(number) from entry").fetchone() == (1200,)
    fixed.close()
    first.execute("attach ? as beside", (scene.run + "/beside.db",))
    first.execute("create table beside.copy as select distinct number from entry")
    assert first.execute("select count(*) from beside.copy").fetchone() == (25,)
    first.close()
