# Code in the run directory: compiled, kept, imported, changed and imported again; a zip of code too.


def work(scene):
    import importlib, importlib.util, os, py_compile, sys, zipfile

    package = scene.run + "/own_package"
    os.makedirs(package)
    write(package + "/__init__.py", "from .part import answer\n")
    write(package + "/part.py", "answer = 42\n")
    sys.path.insert(0, scene.run)
    importlib.invalidate_caches()
    import own_package

    assert own_package.answer == 42
    compiled = py_compile.compile(package + "/part.py", cfile=scene.run + "/bare.pyc", doraise=True)
    specification = importlib.util.spec_from_file_location("bare", compiled)
    bare = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(bare)
    assert bare.answer == 42
    write(package + "/part.py", "answer = 'another'\n")
    importlib.invalidate_caches()
    assert importlib.reload(own_package.part).answer == "another"
    with zipfile.ZipFile(scene.run + "/code.zip", "w") as archive:
        archive.writestr("zipped.py", "answer = 7\n")
    sys.path.insert(0, scene.run + "/code.zip")
    import zipped

    assert zipped.answer == 7


def write(path, text):
    with open(path, "w") as file:
        file.write(text)
