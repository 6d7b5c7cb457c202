//! Python interpreters of this host, their shims and their virtual environments.

use super::confinement::{bare, run, said};
use super::*;

/// Every interpreter of a supported version: the system's and those of pyenv.
pub(super) fn interpreters() -> Vec<PathBuf> {
    let home = std::env::var_os("HOME").map(PathBuf::from).unwrap_or_default();
    let versions = fs::read_dir(home.join(".pyenv/versions")).into_iter().flatten();
    let pyenv = versions.map(|version| version.unwrap().path().join("bin/python3"));
    let mut found = vec![PathBuf::from("/usr/bin/python3")];
    found.extend(pyenv);
    found.retain(|path| {
        let modern = "import sys; sys.exit(sys.version_info < (3, 8))";
        command(path).args(["-c", modern]).status().is_ok_and(|status| status.success())
    });
    assert!(!found.is_empty(), "no Python 3.8 or later on this host");
    found
}

pub(super) fn ask_for(path: &Path) -> Python {
    python(path, &path_variable()).unwrap()
}

/// Imports the libraries that programs use and every extension module, and prints which fail.
const IMPORT_EVERYTHING: &str = "
import sys, os, warnings
warnings.simplefilter('ignore')
names = {'asyncio', 'json', 're', 'sqlite3', 'ssl', 'ctypes', 'zoneinfo', 'locale', 'decimal',
         'multiprocessing', 'xml.etree.ElementTree', 'zipfile', 'tarfile', 'lzma', 'hashlib', 'uuid'}
for folder in sys.path:
    if os.path.isdir(folder):
        names |= {name.split('.')[0] for name in os.listdir(folder) if name.endswith('.so')}
for name in sorted(names):
    try: __import__(name)
    except Exception as error: print(name, type(error).__name__)
print(sys.version_info[:3], sys.executable, len(names))
";

#[test]
fn every_interpreter_imports_confined_what_it_imports_bare() {
    for path in interpreters() {
        let python = ask_for(&path);
        assert_well_formed(&python.needs);
        assert_eq!(python.executable, fs::canonicalize(&path).unwrap());
        assert_eq!(python.executable, python.needs.image);
        let arguments = ["-I", "-S", "-B", "-c", IMPORT_EVERYTHING];
        let confined = said(&run(&python.needs, &arguments, &[]));
        assert_eq!(confined, said(&bare(&python.needs, &arguments)));
        let (major, minor, micro) = python.version;
        let last = confined.0.lines().last().unwrap().to_owned();
        let expected = format!("({major}, {minor}, {micro}) {}", python.executable.display());
        assert!(last.starts_with(&expected), "{last} is not {expected}");
    }
}

#[test]
fn everything_that_an_interpreter_maps_is_among_its_needs() {
    for path in interpreters() {
        let python = ask_for(&path);
        let maps = format!("{IMPORT_EVERYTHING}\nprint(open('/proc/self/maps').read())");
        let output = said(&bare(&python.needs, &["-I", "-S", "-B", "-c", &maps])).0;
        let files = output.lines().filter_map(|line| line.find('/').map(|at| &line[at..]));
        let mapped: Vec<&str> = files.filter(|file| Path::new(file).is_file()).collect();
        assert!(mapped.iter().any(|file| file.ends_with(".so")), "{output}");
        let strangers: Vec<_> =
            mapped.iter().filter(|file| !is_covered(Path::new(file), &python.needs)).collect();
        assert!(strangers.is_empty(), "{path:?} maps {strangers:?}");
    }
}

#[test]
fn the_prefix_itself_is_not_readable_and_its_library_is_granted_as_a_file() {
    for path in interpreters() {
        let python = ask_for(&path);
        let prefix = python.executable.parent().unwrap().parent().unwrap();
        for wide in [prefix.to_path_buf(), prefix.join("lib"), prefix.join("bin")] {
            assert!(!python.needs.read.contains(&wide), "{wide:?}");
        }
        let of_etc = python.needs.read.iter().filter(|path| path.starts_with("/etc"));
        let public = |path: &Path| path.ends_with("ld.so.cache") || path.ends_with("mime.types");
        let of_etc: Vec<_> = of_etc.filter(|path| !public(path)).collect();
        assert!(of_etc.is_empty(), "{of_etc:?}");
    }
}

#[test]
fn time_zones_and_locales_work_where_the_host_has_them() {
    let python = ask_for(&interpreters()[0]);
    let text = "import locale, time; print(locale.setlocale(locale.LC_ALL, ''), time.tzname)";
    let arguments = ["-I", "-S", "-c", text];
    let bare = said(&bare(&python.needs, &arguments));
    assert_eq!(bare.2, Some(0), "{bare:?}");
    assert_eq!(said(&run(&python.needs, &arguments, &[])), bare);
}

#[test]
fn what_the_name_of_a_file_means_is_found_out_as_it_is_without_a_sandbox() {
    let text = "import mimetypes; print([mimetypes.guess_type('a.' + end) for end in ('pdf', 'odt', 'no')])";
    let arguments = ["-I", "-S", "-c", text];
    for path in interpreters() {
        let needs = [ask_for(&path).needs, program(&path, &path_variable()).unwrap()];
        for needs in needs {
            let bare = said(&bare(&needs, &arguments));
            assert!(bare.0.contains("application/pdf"), "{bare:?}");
            assert_eq!(said(&run(&needs, &arguments, &[])), bare);
        }
    }
    // No other program is granted the tables: nothing but Python's library is known to want them unasked.
    let other = program(Path::new("/bin/cat"), &path_variable()).unwrap();
    assert!(!other.read.iter().any(|path| path.ends_with("mime.types")), "{other:?}");
}

#[test]
fn a_virtual_environment_resolves_to_its_base_interpreter() {
    for path in interpreters() {
        let folder = Folder::new();
        let base = ask_for(&path);
        for (name, kind) in [("linked", "--symlinks"), ("copied", "--copies")] {
            let environment = folder.path.join(name);
            let status = command(&base.executable)
                .args(["-m", "venv", "--without-pip", kind])
                .arg(&environment)
                .status()
                .unwrap();
            assert!(status.success());
            let python = ask_for(&environment.join("bin/python"));
            assert_eq!(python, base, "{kind}");
            assert!(!is_covered(&environment.join("pyvenv.cfg"), &python.needs));
        }
    }
}

#[test]
fn shims_resolve_to_the_base_interpreter_when_python_is_asked_for() {
    let folder = Folder::new();
    let base = ask_for(&interpreters()[0]);
    let exec = format!("#!/bin/sh\nexec {} \"$@\"\n", base.executable.display());
    let shim = folder.script("shims/python3", &exec);
    assert_eq!(ask_for(&shim), base);
    // On PATH, before all others.
    let mut variable = shim.parent().unwrap().as_os_str().to_owned();
    variable.push(":/usr/bin:/bin");
    assert_eq!(python(Path::new("python3"), &variable).unwrap(), base);
    // The program by that name is refused: it would need a second exec.
    let refused = program(&shim, &variable).unwrap_err();
    assert!(matches!(refused, DiscoverError::Shim { .. }), "{refused}");
}

#[test]
fn a_script_of_python_starts_with_the_standard_library_of_its_interpreter() {
    let folder = Folder::new();
    let body = "import json, sqlite3\nprint('HELLO')\n";
    for path in interpreters() {
        let real = fs::canonicalize(&path).unwrap();
        let direct = folder.script("direct", &format!("#!{}\n{body}", path.display()));
        let by_env = folder.script("by-env", &format!("#!/usr/bin/env python3\n{body}"));
        let variable = path.parent().unwrap().as_os_str();
        for script in [direct, by_env] {
            let needs = program(&script, variable).unwrap();
            assert_eq!(
                (needs.image.clone(), needs.argument0.clone()),
                (real.clone(), real.clone().into())
            );
            let output = said(&run(&needs, &[], &[]));
            assert_eq!(output, ("HELLO\n".to_owned(), String::new(), Some(0)), "{script:?}");
        }
    }
}

#[test]
fn what_lies_beside_an_interpreter_leads_no_grant_elsewhere() {
    let base = ask_for(&interpreters()[0]);
    let folder = Folder::new();
    let name = base.executable.file_name().unwrap().to_str().unwrap();
    let image = folder.copy(&format!("project/bin/{name}"), &base.executable);
    let secret = folder.file("secret/os.py", "x", 0o600);
    let library = folder.link(&format!("project/lib/{name}"), secret.parent().unwrap());
    let covers_secret = || is_covered(&secret, &discover(&image).unwrap());
    assert!(!covers_secret());
    // The control: a real directory with a link to a file of another name.
    fs::remove_file(&library).unwrap();
    folder.file(&format!("project/lib/{name}/os.py"), "", 0o644);
    let customization = format!("project/lib/{name}/sitecustomize.py");
    let link = folder.link(&customization, &secret);
    assert!(is_covered(&library, &discover(&image).unwrap()));
    assert!(!covers_secret());
    // As Debian has it.
    fs::remove_file(link).unwrap();
    let elsewhere = folder.file("etc/sitecustomize.py", "", 0o644);
    folder.link(&customization, &elsewhere);
    assert!(is_covered(&elsewhere, &discover(&image).unwrap()));
}
