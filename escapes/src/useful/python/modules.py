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

# Modules that came after 3.8.
NEWER = {"graphlib": (3, 9)}


def work(scene):
    import importlib, sys

    for name in REQUIRED.split():
        if sys.version_info >= NEWER.get(name, (3, 8)):
            importlib.import_module(name)
