//! Machine code that the program carries as data: it makes its system calls itself, so no library, no
//! interpreter and no hook stands before them.

use super::NEEDS;
use super::acts::{self, connect, read, spawn, write};
use crate::raw::code;
use fixtures::watch::process::MARKER;
use fixtures::watch::tcp::TCP4;
use harness::escape::{Escape, Layer};
use harness::scene::Scene;
use harness::twin::Twin;
use std::fs::{self, File};
use std::io;
use std::sync::atomic::AtomicI64;

const CODE: Escape = Escape {
    techniques: &["PY-CFUNCPTR", "EX-MMAPEXEC"],
    references: &[
        "https://github.com/python/cpython/issues/115322",
        "https://man7.org/linux/man-pages/man2/mprotect.2.html",
    ],
    needs: NEEDS,
    stops: &[Layer::Landlock, Layer::MountNamespace, Layer::Seatbelt, Layer::Hook],
    twin: Twin::Memory,
    ..Escape::BLANK
};

pub(super) const ESCAPES: &[Escape] = &[
    Escape {
        id: "native-code/machine-code",
        summary: "Read a secret by machine code in fresh memory",
        witnesses: &["landlock/read-file", "hook/import._ctypes"],
        native: Some(|scene| read(scene, in_memory)),
        python: carried!("acts/page.py" or "acts/page.jit.py", "machine_code.py", "acts/read.py"),
        ..CODE
    },
    Escape {
        id: "native-code/machine-code.write",
        summary: "Write outside by machine code in fresh memory",
        witnesses: &["landlock/write-file", "hook/import._ctypes"],
        native: Some(|scene| write(scene, in_memory)),
        python: carried!("acts/page.py" or "acts/page.jit.py", "machine_code.py", "acts/write.py"),
        ..CODE
    },
    Escape {
        id: "native-code/machine-code.connect",
        summary: "Connect to a listener by machine code in fresh memory",
        decoys: &[TCP4],
        stops: &[
            Layer::Landlock,
            Layer::Seccomp,
            Layer::OtherNamespace,
            Layer::Seatbelt,
            Layer::Hook,
        ],
        witnesses: &[
            "landlock/connect-tcp",
            "seccomp/connect",
            "seccomp/socket",
            "hook/import._ctypes",
        ],
        native: Some(|scene| connect(scene, in_memory)),
        python: carried!("acts/page.py" or "acts/page.jit.py", "machine_code.py", "acts/connect.py"),
        ..CODE
    },
    Escape {
        id: "native-code/machine-code.spawn",
        summary: "Start a process by machine code in fresh memory",
        decoys: &[MARKER],
        stops: &[Layer::Seccomp, Layer::Seatbelt, Layer::Hook],
        witnesses: &["seccomp/clone", "hook/import._ctypes"],
        native: Some(|scene| spawn(scene, in_memory)),
        python: carried!("acts/page.py" or "acts/page.jit.py", "machine_code.py", "acts/spawn.py"),
        ..CODE
    },
    Escape {
        id: "native-code/machine-code.file",
        summary: "Read a secret by machine code that is mapped from a file of the run directory",
        witnesses: &["landlock/read-file"],
        native: Some(|scene| read(scene, in_file)),
        ..CODE
    },
    #[cfg(target_os = "linux")]
    Escape {
        id: "native-code/machine-code.patched",
        summary: "Read a secret by machine code written into read-only memory through /proc/self/mem",
        techniques: &["FW-PROCMEMSELF"],
        references: &["https://man7.org/linux/man-pages/man5/proc_pid_mem.5.html"],
        witnesses: &["landlock/read-file", "landlock/write-file"],
        native: Some(|scene| read(scene, patched)),
        ..CODE
    },
];

/// Carries a call by a page that was writable and is executable.
fn in_memory(_scene: &Scene, number: i64, arguments: [usize; 6]) -> io::Result<i64> {
    let stored = AtomicI64::new(0);
    code::run(&acts::assemble(number, arguments, &stored))?;
    acts::answer(&stored)
}

/// Carries a call by an executable map of a file that the program wrote.
#[cfg(target_os = "linux")]
fn in_file(scene: &Scene, number: i64, arguments: [usize; 6]) -> io::Result<i64> {
    let stored = AtomicI64::new(0);
    let code = acts::assemble(number, arguments, &stored);
    let path = scene.run().join("code");
    fs::write(&path, &code)?;
    code::run_file(&File::open(path)?, code.len())?;
    acts::answer(&stored)
}

/// The same, of a file that is signed: the processors of Apple execute no other.
#[cfg(target_os = "macos")]
fn in_file(scene: &Scene, number: i64, arguments: [usize; 6]) -> io::Result<i64> {
    use super::acts::mach_o::{CODE, SIGNATURE, TEXT, library};
    let stored = AtomicI64::new(0);
    let file = library(acts::HERE, &acts::assemble(number, arguments, &stored));
    // The kernel keeps the signature of a file that it knows, so each call has a file of its own.
    let path = scene.run().join(format!("code-{number}"));
    fs::write(&path, &file)?;
    let signed = file.len() - SIGNATURE;
    let place = code::Signed { length: TEXT, code: CODE, signature: SIGNATURE, signed };
    code::run_file(&File::open(path)?, place)?;
    acts::answer(&stored)
}

/// Carries a call by a page that was never writable: the kernel writes it, as for a debugger.
#[cfg(target_os = "linux")]
fn patched(_scene: &Scene, number: i64, arguments: [usize; 6]) -> io::Result<i64> {
    let stored = AtomicI64::new(0);
    let code = acts::assemble(number, arguments, &stored);
    code::run_patched(&code, |address, code| {
        use std::os::unix::fs::FileExt;
        File::options().write(true).open("/proc/self/mem")?.write_all_at(code, address)
    })?;
    acts::answer(&stored)
}
