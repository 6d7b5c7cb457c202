# Trees: made, copied with their modes and times, moved, searched and removed.


def work(scene):
    import filecmp, glob, os, pathlib, shutil

    source = pathlib.Path(scene.run, "source")
    (source / "deep" / "deeper").mkdir(parents=True)
    for number in range(20):
        (source / "deep" / ("file%02d.txt" % number)).write_text("text %d" % number)
    (source / "tool").write_text("#!/bin/sh\n")
    os.chmod(source / "tool", 0o755)
    os.utime(source / "tool", (10 ** 9, 10 ** 9))
    (source / "made").touch()
    assert (source / "made").exists()
    (source / "made").touch()
    os.symlink("deep/file01.txt", source / "link")
    os.link(source / "tool", source / "deep" / "tool")
    shutil.copy(source / "tool", scene.run + "/tool")
    shutil.copy2(source / "tool", scene.run + "/tool2")
    copied = shutil.copytree(source, scene.run + "/copied", symlinks=True)
    assert os.readlink(os.path.join(copied, "link")) == "deep/file01.txt"
    compared = filecmp.dircmp(source, copied)
    assert not compared.left_only and not compared.right_only and not compared.diff_files
    shutil.move(copied, scene.run + "/moved")
    assert len(glob.glob(scene.run + "/moved/**/*.txt", recursive=True)) == 20
    assert sum(len(files) for _, _, files in os.walk(scene.run + "/moved")) == 24
    assert len(list(os.scandir(scene.run + "/moved/deep"))) == 22
    os.rename(scene.run + "/moved/deep/deeper", scene.run + "/moved/up")
    os.truncate(scene.run + "/moved/deep/file00.txt", 2)
    assert pathlib.Path(scene.run, "moved/deep/file00.txt").read_text() == "te"
    shutil.rmtree(source)
    assert not source.exists()
    assert shutil.disk_usage(scene.run).total > 0
