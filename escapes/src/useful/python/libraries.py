# Modules that need a library which an interpreter may have been built without, and the extension
# that shows it. Some hand out native code, so the audit hook refuses them.
OPTIONAL = {
    "bz2": "_bz2", "ctypes": "_ctypes", "curses": "_curses", "dbm.gnu": "_gdbm", "dbm.ndbm": "_dbm",
    "lzma": "_lzma", "readline": "readline", "sqlite3": "_sqlite3", "ssl": "_ssl", "zlib": "zlib",
}


def work(scene):
    import importlib

    for name, extension in OPTIONAL.items():
        if built_with(extension):
            importlib.import_module(name)


def built_with(extension):
    """Whether the extension's file is there, by looking at the path, which needs no permission to
    list the folder: so a folder that may not be read is never taken for one without the module."""
    import importlib.machinery, os, sys

    if extension in sys.builtin_module_names:
        return True
    suffixes = importlib.machinery.EXTENSION_SUFFIXES
    return any(os.path.exists(os.path.join(p, extension + s)) for p in sys.path for s in suffixes)
