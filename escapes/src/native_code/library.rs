//! A shared object that the program carries: loading it runs its initialiser. It is loaded by whatever
//! loads libraries: the C library, the interpreter's own import, the extensions of others.

use super::NEEDS;
use super::acts::{self, read};
use crate::raw::code;
use fixtures::watch::process::MARKER;
use harness::escape::{Escape, Layer};
use harness::scene::Scene;
use harness::twin::Twin;
use std::ffi::CString;
use std::os::unix::ffi::OsStrExt;
use std::sync::atomic::AtomicI64;
use std::{fs, io};

const LIBRARY: Escape = Escape {
    techniques: &["PY-EXTMODULE", "EX-MMAPEXEC"],
    references: &["https://man7.org/linux/man-pages/man3/dlopen.3.html", "CWE-114"],
    needs: NEEDS,
    stops: &[Layer::Landlock, Layer::MountNamespace, Layer::Seatbelt, Layer::Hook],
    twin: Twin::OwnFile,
    ..Escape::BLANK
};

pub(super) const ESCAPES: &[Escape] = &[
    Escape {
        id: "native-code/library",
        summary: "Read a secret by a shared object written to the run directory and loaded",
        witnesses: &["landlock/read-file", "hook/import._ctypes"],
        native: Some(|scene| read(scene, initialiser)),
        python: carried!("acts/elf.py" or "acts/mach_o.py", "library.py", "library.ctypes.py", "acts/read.py"),
        ..LIBRARY
    },
    Escape {
        id: "native-code/library.import",
        summary: "Read a secret by a shared object that is imported as an extension module",
        references: &[
            "https://docs.python.org/3/library/importlib.html#importlib.machinery.ExtensionFileLoader",
            "CWE-427",
        ],
        witnesses: &["landlock/read-file", "hook/native-modules"],
        python: carried!("acts/elf.py" or "acts/mach_o.py", "library.py", "library.import.py", "acts/read.py"),
        ..LIBRARY
    },
    Escape {
        id: "native-code/library.import-spawn",
        summary: "Start a process by a shared object that is imported as an extension module",
        references: &[
            "https://docs.python.org/3/library/importlib.html#importlib.machinery.ExtensionFileLoader",
            "CWE-427",
        ],
        decoys: &[MARKER],
        stops: &[Layer::Seccomp, Layer::Seatbelt, Layer::Hook],
        witnesses: &["seccomp/fork", "hook/native-modules"],
        python: carried!("acts/elf.py" or "acts/mach_o.py", "library.py", "library.import.py", "acts/spawn.py"),
        ..LIBRARY
    },
    Escape {
        id: "native-code/library.sqlite",
        summary: "Read a secret by a shared object that SQL loads as an extension of the database",
        references: &["https://www.sqlite.org/loadext.html", "CWE-114"],
        witnesses: &["landlock/read-file", "hook/sqlite3.*"],
        python: carried!("acts/elf.py" or "acts/mach_o.py", "library.py", "library.sqlite.py", "acts/read.py"),
        ..LIBRARY
    },
    Escape {
        id: "native-code/library.tcl",
        summary: "Read a secret by a shared object that the interpreter of Tcl loads, unseen by the hook",
        references: &["https://www.tcl-lang.org/man/tcl8.6/TclCmd/load.htm", "CWE-114"],
        stops: &[Layer::Landlock, Layer::MountNamespace, Layer::Seatbelt],
        witnesses: &["landlock/read-file", "hook/import._tkinter"],
        python: carried!("acts/elf.py" or "acts/mach_o.py", "library.py", "library.tcl.py", "acts/read.py"),
        ..LIBRARY
    },
];

/// Carries a call by the initialiser of a fresh library.
fn initialiser(scene: &Scene, number: i64, arguments: [usize; 6]) -> io::Result<i64> {
    let stored = AtomicI64::new(0);
    let code = acts::assemble(number, arguments, &stored);
    // The loader knows a library by its path, so each call has its own.
    let path = scene.run().join(format!("library-{number}.so"));
    fs::write(&path, shared_object(&code))?;
    code::load_library(&CString::new(path.as_os_str().as_bytes())?)?;
    acts::answer(&stored)
}

/// A library of macOS that carries its own signature.
#[cfg(target_os = "macos")]
fn shared_object(code: &[u8]) -> Vec<u8> {
    acts::mach_o::library(acts::HERE, code)
}

/// The smallest shared object (elf(5)) that a loader takes: one segment that is everything, and a
/// dynamic section that names the code as initialiser. It has no symbols, so none must be found.
#[cfg(target_os = "linux")]
fn shared_object(code: &[u8]) -> Vec<u8> {
    const SECTION: u64 = 0x100;
    const STRINGS: u64 = 0x1e0;
    const SYMBOLS: u64 = 0x1e8;
    const CODE: u64 = 0x200;
    const LENGTH: u64 = 0x1000;
    // DT_INIT, DT_STRTAB, DT_SYMTAB, DT_STRSZ, DT_NULL.
    let dynamic = [[12, CODE], [5, STRINGS], [6, SYMBOLS], [10, 1], [0, 0]];
    // Type ET_DYN and machine EM_X86_64; version; no entry; program headers at 64; no sections; no
    // flags; sizes and numbers of the headers.
    let header = [0x0000_0001_003e_0003, 0, 64, 0, 0x0038_0040_0000_0000, 0x0000_0000_0000_0002];
    // PT_LOAD and PT_DYNAMIC with their flags; offset, address, physical address, sizes, alignment.
    let load = [(7 << 32) | 1, 0, 0, 0, LENGTH, LENGTH, 0x1000];
    let size = size_of_val(&dynamic) as u64;
    let section = [(6 << 32) | 2, SECTION, SECTION, SECTION, size, size, 8];
    let mut file = b"\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0".to_vec();
    for word in header.iter().chain(&load).chain(&section) {
        file.extend(word.to_le_bytes());
    }
    file.resize(SECTION as usize, 0);
    for word in dynamic.as_flattened() {
        file.extend(word.to_le_bytes());
    }
    file.resize(CODE as usize, 0);
    file.extend(code);
    file.resize(LENGTH as usize, 0);
    file
}
