//! Honest programs, which run under the hook as they do without it.

use super::permitted;

#[test]
fn the_standard_library_is_imported() {
    permitted(
        "import importlib
names = '''abc argparse array ast asyncio base64 bisect bz2 calendar cmath codecs collections concurrent.futures
configparser contextlib copy csv dataclasses datetime decimal difflib dis email.message enum errno fcntl filecmp fnmatch fractions
functools getpass gettext glob graphlib gzip hashlib heapq hmac html.parser http.client inspect io ipaddress itertools json
keyword linecache locale logging.config lzma mailbox math mimetypes mmap multiprocessing.pool numbers operator optparse os pathlib
pickle platform plistlib pprint profile queue random re resource sched secrets select selectors shelve shlex shutil signal socket
sqlite3 ssl stat statistics string struct subprocess sysconfig tarfile tempfile textwrap threading time timeit tokenize traceback
types typing unicodedata unittest.mock urllib.request uuid venv weakref xml.etree.ElementTree zipfile zipimport zlib'''.split()
imported = 0
for name in names:
    try: importlib.import_module(name); imported += 1
    except ModuleNotFoundError as error: assert name in ('graphlib',), error
print(imported >= 100)",
    );
}

#[test]
fn files_are_read_written_renamed_and_removed_in_the_run_directory() {
    permitted(
        "import json, pathlib
folder = pathlib.Path('made/deeper'); folder.mkdir(parents=True, exist_ok=True)
(folder / 'touched').touch()
(folder / 'data.json').write_text(json.dumps({'a': [1, None, 'x']}))
os.replace(folder / 'data.json', 'here.json')
os.symlink('here.json', 'link'); os.link('here.json', 'second'); os.chmod('link', 0o640); os.utime('second', (1, 1))
os.truncate('second', 2); os.ftruncate(os.open('second', os.O_RDWR), 1)
os.symlink(outside + '/secret', 'away'); os.rename('away', 'gone'); os.remove('gone')
os.symlink('missing', 'to'); open('to', 'w').close(); os.remove('to'); os.symlink('a/../b/./c', 'odd')
for n in range(30): os.symlink('link' if n == 0 else 'chain%d' % (n - 1), 'chain%d' % n)
print(open('chain29').read(), os.path.samefile('chain29', 'here.json'))
for n in range(30): os.remove('chain%d' % n)
os.close(os.open('relative', os.O_CREAT | os.O_WRONLY)); os.remove('relative')
os.close(os.open(b'bytes', os.O_CREAT | os.O_WRONLY)); os.makedirs(os.getcwd(), exist_ok=True)
os.chdir('made'); os.listdir(); os.chdir('..')
class Text(str): pass
open(Text('link')).close(); open(os.devnull, 'w').write('x')
print(sorted(os.listdir()), open('link').read(), open(granted + '/readable').read())",
    );
}

#[test]
fn temporary_files_and_trees_are_copied_and_removed() {
    permitted(
        "import shutil, tempfile
tempfile.tempdir = os.getcwd()
with tempfile.TemporaryDirectory() as folder, tempfile.NamedTemporaryFile() as file, tempfile.TemporaryFile() as other:
    file.write(b'x'); other.write(b'y'); other.truncate()
    os.makedirs(folder + '/a/b'); open(folder + '/a/b/c', 'w').write('c'); os.symlink('b', folder + '/a/link')
    shutil.copytree(folder, 'copy', symlinks=True); shutil.copytree(granted, 'granted')
    shutil.move('copy', 'moved'); print(sorted(os.listdir('moved/a')))
shutil.make_archive('archive', 'gztar', 'moved'); shutil.unpack_archive('archive.tar.gz', 'unpacked')
print(open('unpacked/a/link/c').read(), [names for _, _, names, _ in os.fwalk('moved')])
shutil.rmtree('moved'); shutil.rmtree('granted')
print(sorted(os.listdir()))",
    );
}

#[test]
fn sqlite_works_in_the_run_directory() {
    permitted(
        "import pathlib, sqlite3
with sqlite3.connect('data.db') as connection:
    connection.execute('pragma journal_mode=wal'); connection.execute('create table t (x)')
    connection.executemany('insert into t values (?)', [(n,) for n in range(1000)])
connection.close()
print(sqlite3.connect(pathlib.Path('data.db')).execute('select sum(x) from t').fetchone())
print(sqlite3.connect('file://localhost' + os.getcwd() + '/data.db?mode=ro', uri=True).execute('select 3 from t').fetchone())
print(sqlite3.connect('file:data.db?mode=ro', uri=True).execute('select count(*) from t').fetchone())
print(sqlite3.connect(':memory:').execute('select 1').fetchone(), sqlite3.connect('file::memory:?cache=shared', uri=True).execute('select 2').fetchone())
import dbm.dumb; dbm.dumb.open('dumb', 'c').close()
import shelve; shelve.open('shelf')['key'] = 1",
    );
}

#[test]
fn event_loops_threads_and_signals_work() {
    permitted(
        "import asyncio, concurrent.futures, signal, socket, threading
async def main():
    loop = asyncio.get_running_loop()
    loop.add_signal_handler(signal.SIGUSR1, print, 'signal'); os.kill(os.getpid(), signal.SIGUSR1)
    left, right = socket.socketpair()
    reader, writer = await asyncio.open_connection(sock=left)
    writer.writelines([b'a', b'b']); await writer.drain(); print(right.recv(9)); writer.close(); right.close()
    print(await asyncio.gather(*[loop.run_in_executor(None, pow, n, 2) for n in range(5)]))
    async def numbers():
        for n in range(3): yield n
    print([n async for n in numbers()])
asyncio.run(main())
with concurrent.futures.ThreadPoolExecutor() as pool: print(list(pool.map(len, ['a', 'bb'])))
import multiprocessing.pool
with multiprocessing.pool.ThreadPool(2) as pool: print(pool.map(len, ['a']))",
    );
}

#[test]
fn archives_random_numbers_time_and_the_environment_work() {
    permitted(
        "import datetime, hashlib, random, secrets, time, socket, uuid, zipfile, fcntl, importlib
with zipfile.ZipFile('a.zip', 'w') as archive: archive.writestr('module_in_zip.py', 'value = 7')
sys.path.insert(0, 'a.zip'); import module_in_zip
open('sibling.py', 'w').write('value = 8'); sys.path.insert(0, '.'); import sibling
os.environ['A'] = 'b'; os.putenv('C', 'd'); socket.gethostname(); del os.environ['A']
with open('locked', 'w') as file: fcntl.flock(file, fcntl.LOCK_EX); fcntl.lockf(file, fcntl.LOCK_UN); os.lockf(file.fileno(), os.F_LOCK, 1)
fcntl.fcntl(0, fcntl.F_GETFL); os.set_blocking(os.pipe()[0], False)
print(module_in_zip.value, sibling.value, len(secrets.token_bytes(8)), uuid.uuid4().version, hashlib.sha256(b'').hexdigest()[:4])
print(random.Random(1).random(), time.time() > 0, datetime.date(2020, 1, 1), [names for _, _, names in os.walk(granted)])",
    );
}

/// Programs ask for files that are not there and make directories that are, and expect that answer.
#[test]
fn what_is_missing_or_there_already_is_reported_as_such() {
    permitted(
        "for act in (lambda: open(outside + '/missing'), lambda: os.listdir(outside + '/missing'), lambda: open('missing')):
    try: act()
    except FileNotFoundError as error: print(error.errno)
try: os.mkdir(outside)
except FileExistsError as error: print(error.errno)
try: open('nul\\0')
except ValueError as error: print(error)",
    );
}

/// The modules that are not there raise the error that libraries are prepared for.
#[test]
fn a_library_does_without_the_refused_modules() {
    permitted(
        "import cmd, code, dbm, pdb, rlcompleter, concurrent.futures, multiprocessing
dbm.open('any', 'c').close()
print('done')",
    );
}
