# Archives of every kind that this interpreter was built with: made, and taken apart again.


def work(scene):
    import filecmp, gzip, os, shutil, tarfile, zipfile

    source = scene.run + "/source"
    os.makedirs(source + "/sub")
    for name in ("a", "b", "sub/c"):
        with open(source + "/" + name, "w") as file:
            file.write("content of %s\n" % name * 500)
    for kind, _ in shutil.get_archive_formats():
        path = shutil.make_archive(scene.run + "/archive-" + kind, kind, source)
        target = scene.run + "/from-" + kind
        shutil.unpack_archive(path, target)
        compared = filecmp.cmpfiles(source, target, ["a", "b", "sub/c"], shallow=False)
        assert compared[0] == ["a", "b", "sub/c"], compared
    with zipfile.ZipFile(scene.run + "/one.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("in/memory", b"x" * 10000)
    with zipfile.ZipFile(scene.run + "/one.zip") as archive:
        assert archive.testzip() is None and archive.read("in/memory") == b"x" * 10000
    with tarfile.open(scene.run + "/one.tar", "w") as archive:
        archive.add(source, "renamed")
    with tarfile.open(scene.run + "/one.tar") as archive:
        assert "renamed/sub/c" in archive.getnames()
    with gzip.open(scene.run + "/text.gz", "wt") as file:
        file.write("zipped")
    with gzip.open(scene.run + "/text.gz", "rt") as file:
        assert file.read() == "zipped"
