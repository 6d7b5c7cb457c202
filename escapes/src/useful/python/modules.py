# Modules that every interpreter of 3.8 and later has, whatever libraries it was built with.
REQUIRED = """
    abc argparse array ast asyncio base64 bisect calendar cmath cmd code codecs collections colorsys
    concurrent.futures configparser contextlib contextvars copy csv dataclasses datetime decimal
    difflib dis doctest email enum errno faulthandler fcntl fileinput fnmatch fractions functools gc
    getopt getpass glob graphlib hashlib heapq hmac html http.client importlib.metadata inspect io
    ipaddress itertools json keyword linecache locale logging.handlers marshal math mimetypes mmap
    multiprocessing numbers operator os pathlib pdb pickle pkgutil platform plistlib pprint profile
    pwd queue random re resource sched secrets select selectors shelve shlex shutil signal site
    socket socketserver statistics string struct subprocess symtable sysconfig tarfile tempfile
    termios textwrap threading timeit tokenize trace traceback tty types typing unicodedata unittest
    urllib.request uuid venv warnings wave weakref xml.etree.ElementTree zipapp zipfile zipimport
"""

# Modules that need a library which an interpreter may have been built without: module and the
# extension that shows it.
OPTIONAL = {
    "bz2": "_bz2", "ctypes": "_ctypes", "curses": "_curses", "dbm.gnu": "_gdbm", "lzma": "_lzma",
    "readline": "readline", "sqlite3": "_sqlite3", "ssl": "_ssl", "zlib": "zlib",
}

# Modules that came after 3.8.
NEWER = {"graphlib": (3, 9)}


def work(scene):
    import importlib, sys

    names = [n for n in REQUIRED.split() if sys.version_info >= NEWER.get(n, (3, 8))]
    for name in names:
        importlib.import_module(name)
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
