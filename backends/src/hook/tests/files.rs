//! Attempts on the contents of files and on the names in directories.

use super::super::HookRules;
use super::{refused, refused_by, unjudged};

#[test]
fn a_file_outside_is_not_read() {
    refused_by("print(open(outside + '/secret').read())", |rules| unjudged(rules, "open"));
}

#[test]
fn no_other_way_to_open_reads_a_file_outside() {
    refused("print(os.read(os.open(outside + '/secret', os.O_RDONLY), 99))");
    refused("import io; print(io.FileIO(outside + '/secret').read())");
    refused("import io; print(io.open_code(outside + '/secret').read())");
    refused("import pathlib; print(pathlib.Path(outside, 'secret').read_text())");
    refused("print(open(os.fsencode(outside) + b'/secret').read())");
    refused(
        "import linecache; linecache.getline(outside + '/secret', 1); open(outside + '/secret'); print(linecache.getlines(outside + '/secret'))",
    );
    refused(
        "import urllib.request; print(urllib.request.urlopen('file://' + outside + '/secret').read())",
    );
}

#[test]
fn dots_in_a_path_lead_nowhere_outside() {
    refused("print(open('../outside/secret').read())");
    refused("print(open(granted + '/folder/../../outside/secret').read())");
    refused("os.chdir(granted + '/folder'); print(open('../../outside/secret').read())");
}

#[test]
fn a_symbolic_link_leads_nowhere_outside() {
    refused("os.symlink(outside + '/secret', 'link'); print(open('link').read())");
    refused("os.symlink('../outside', 'a'); os.symlink('a', 'b'); print(open('b/secret').read())");
    refused("os.symlink('../outside/empty', 'link'); print(open('link/../secret').read())");
}

#[test]
fn the_process_file_system_leads_nowhere_outside() {
    if !cfg!(target_os = "linux") {
        return;
    }
    refused("print(open('/proc/self/root' + outside + '/secret').read())");
    refused("print(open('/proc/self/cwd/../outside/secret').read())");
    refused("print(open('/proc/thread-self/root' + outside + '/secret').read())");
}

#[test]
fn a_directory_descriptor_leads_nowhere_outside() {
    refused(
        "folder = os.open(granted, os.O_RDONLY); print(os.read(os.open('../outside/secret', os.O_RDONLY, dir_fd=folder), 99))",
    );
    // The function that os.open stands in for reports neither the descriptor nor the path that it makes.
    refused(
        "real = getattr(os.open, 'open', os.open)
folder = os.open(granted, os.O_RDONLY)
print(os.read(real('../outside/secret', os.O_RDONLY, dir_fd=folder), 99))",
    );
    refused("folder = os.open(granted, os.O_RDONLY); os.mkdir('../outside/new', dir_fd=folder)");
    refused(
        "folder = os.open(granted, os.O_RDONLY); os.fchdir(folder); print(open('../outside/secret').read())",
    );
}

/// Judged as if it started from the working directory, the path would be of no harm.
#[test]
fn a_relative_path_is_not_judged_from_the_wrong_directory() {
    refused(
        "real = getattr(os.open, 'open', os.open)
folder = os.open(granted, os.O_RDONLY)
os.makedirs('a/b'); os.chdir('a/b')
print(os.read(real('../outside/secret', os.O_RDONLY, dir_fd=folder), 99))",
    );
    refused(
        "folder = os.open(granted, os.O_RDONLY)
os.makedirs('a/b'); os.chdir('a/b')
os.mkdir('../outside/new', dir_fd=folder)",
    );
}

#[test]
fn an_object_that_lies_about_its_path_is_not_believed() {
    refused(
        "class Liar(str):
    def __eq__(self, other): return True
    def __hash__(self): return 0
    def __str__(self): return 'program.py'
    def __getitem__(self, key): return '/'
    def split(self, *args): return ['program.py']
    def startswith(self, *args): return True
print(open(Liar(outside + '/secret')).read())",
    );
    refused(
        "class Liar(bytes):
    def decode(self, *args): return 'program.py'
print(open(Liar(os.fsencode(outside) + b'/secret')).read())",
    );
    // Taken for absolute, the path would be that of a harmless file.
    refused(
        "class Liar(str):
    def __getitem__(self, key): return '/'
inner = os.getcwd()[1:]
os.makedirs(inner); os.symlink(outside + '/secret', inner + '/program.py')
print(open(Liar(inner + '/program.py')).read())",
    );
    refused(
        "import io
class Liar:
    asked = 0
    def __fspath__(self):
        self.asked += 1
        return 'program.py' if self.asked == 1 and hooked else outside + '/secret'
hooked = hasattr(os.open, 'open')
print(io.FileIO(Liar()).read())",
    );
    refused(
        "import pathlib
class Liar(type(pathlib.Path())):
    def __fspath__(self): return outside + '/secret'
    def __str__(self): return 'program.py'
print(open(Liar('program.py')).read())",
    );
}

#[test]
fn a_directory_outside_is_not_listed() {
    refused_by("print(os.listdir(outside))", |rules| unjudged(rules, "os.listdir"));
    refused_by("print([entry.name for entry in os.scandir(outside)])", |rules| {
        unjudged(rules, "os.scandir")
    });
    refused("import glob; print(glob.glob(outside + '/*') or os.listdir(outside))");
    refused("os.symlink(outside, 'link'); print(os.listdir('link'))");
    refused_by("os.chdir(outside); open('/proc/self/cwd/../run/marker', 'w')", |rules| {
        unjudged(rules, "os.chdir")
    });
}

#[test]
fn a_file_outside_is_not_written() {
    refused("open(outside + '/secret', 'a').write('x')");
    refused("open(outside + '/new', 'x')");
    refused("open('../running/new', 'x')");
    refused("import pathlib; pathlib.Path(outside, 'new').touch()");
    refused("import tempfile; tempfile.mkstemp(dir=outside)");
    refused("import shutil; shutil.copy('program.py', outside)");
    refused("os.symlink(outside + '/new', 'link'); open('link', 'w')");
}

#[test]
fn each_flag_that_writes_needs_a_writable_path() {
    let all = HookRules::standard().write_flags;
    assert_eq!(all.len(), 4);
    refused_by("os.write(os.open(granted + '/readable', os.O_WRONLY), b'x')", |rules| {
        rules.write_flags.remove(&libc::O_WRONLY);
    });
    refused_by("os.write(os.open(granted + '/readable', os.O_RDWR), b'x')", |rules| {
        rules.write_flags.remove(&libc::O_RDWR);
    });
    refused_by("os.open(granted + '/new', os.O_RDONLY | os.O_CREAT)", |rules| {
        rules.write_flags.remove(&libc::O_CREAT);
    });
    refused_by("os.open(granted + '/readable', os.O_RDONLY | os.O_TRUNC)", |rules| {
        rules.write_flags.remove(&libc::O_TRUNC);
    });
    refused("open(granted + '/readable', 'r+').write('x')");
}

#[test]
fn a_file_that_a_c_library_opens_by_mode_needs_a_writable_path() {
    refused_by(
        "import ssl; ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT).keylog_filename = granted + '/readable'; ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT).keylog_filename = granted + '/new'",
        |rules| {
            rules.write_modes.remove(&'a');
        },
    );
}

#[test]
fn names_outside_are_neither_made_nor_removed() {
    refused_by("os.mkdir(outside + '/new')", |rules| unjudged(rules, "os.mkdir"));
    refused_by("os.rmdir(outside + '/empty')", |rules| unjudged(rules, "os.rmdir"));
    refused_by("os.remove(outside + '/secret')", |rules| unjudged(rules, "os.remove"));
    refused_by("os.symlink('anything', outside + '/new')", |rules| unjudged(rules, "os.symlink"));
    refused("import shutil; shutil.rmtree(outside + '/empty')");
    refused("os.symlink('../outside', 'link'); os.remove('link/secret')");
    refused("os.rmdir(granted + '/folder')");
    refused("os.remove(outside + '/inward')");
    // The right to a file is no right to its name.
    refused("os.remove(granted + '/writable')");
    refused("os.rename(granted + '/writable', 'here')");
}

#[test]
fn a_rename_needs_both_directories() {
    refused_by("os.rename(outside + '/secret', 'here'); print(open('here').read())", |rules| {
        drop(rules.arguments.get_mut("os.rename").unwrap().remove(0));
    });
    refused_by("os.rename('program.py', outside + '/new')", |rules| {
        drop(rules.arguments.get_mut("os.rename").unwrap().remove(1));
    });
}

#[test]
fn a_link_gives_a_file_no_new_rights() {
    refused_by("os.link(granted + '/readable', 'here'); open('here', 'w')", |rules| {
        drop(rules.arguments.get_mut("os.link").unwrap().remove(0));
    });
    refused_by("os.link('program.py', outside + '/new')", |rules| {
        drop(rules.arguments.get_mut("os.link").unwrap().remove(1));
    });
    refused(
        "os.symlink(outside + '/secret', 'link'); os.link('link', 'here', follow_symlinks=True); print(open('here').read())",
    );
}

#[test]
fn a_database_outside_is_not_opened() {
    let create = ".execute('create table t (x)')";
    refused_by(
        "import sqlite3; sqlite3.connect(outside + '/new').execute('create table t (x)')",
        |rules| {
            unjudged(rules, "sqlite3.connect");
        },
    );
    refused(&format!(
        "import sqlite3; sqlite3.connect('file:' + outside + '/new', uri=True){create}"
    ));
    refused(&format!(
        "import sqlite3; sqlite3.connect('file://localhost' + outside + '/new?cache=private#x', uri=True){create}"
    ));
    refused(&format!(
        "import sqlite3; sqlite3.connect('file:%2e%2e/outside/new', uri=True){create}"
    ));
    refused(&format!(
        "import pathlib, sqlite3; sqlite3.connect(pathlib.Path(outside, 'new')){create}"
    ));
    refused(&format!(
        "import os, sqlite3; sqlite3.connect(os.fsencode(outside) + b'/new'){create}"
    ));
}
