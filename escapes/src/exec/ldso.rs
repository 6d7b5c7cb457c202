//! Let the dynamic loader run a file: the loader may be executed, for every dynamic program needs
//! that, and it maps its argument by itself.

use super::marker;
use fixtures::watch::process::MARKER;
use harness::escape::{Escape, Layer, Need};
use harness::scene::Scene;
use harness::twin::Twin;
use std::ffi::{CStr, CString};
use std::os::unix::ffi::OsStrExt;
use std::{fs, io};

#[cfg(target_arch = "x86_64")]
const LOADER: (&str, &CStr) = ("/lib64/ld-linux-x86-64.so.2", c"/lib64/ld-linux-x86-64.so.2");
#[cfg(target_arch = "aarch64")]
const LOADER: (&str, &CStr) = ("/lib/ld-linux-aarch64.so.1", c"/lib/ld-linux-aarch64.so.1");

const EXEC: Escape = Escape {
    techniques: &["EX-LDSO"],
    references: &[
        "https://man7.org/linux/man-pages/man8/ld.so.8.html",
        "https://www.plushcap.com/content/ona/blog/ona-how-claude-code-escapes-its-own-denylist-and-sandbox",
    ],
    needs: &[Need::File(LOADER.0)],
    decoys: &[MARKER],
    stops: &[Layer::Seccomp],
    twin: Twin::OwnFile,
    ..Escape::BLANK
};

pub(super) const ESCAPES: &[Escape] = &[
    Escape {
        id: "exec/ldso",
        summary: "Become the dynamic loader and let it run a file that is not even executable",
        witnesses: &["seccomp/execve"],
        native: Some(|scene| load(scene, |arguments| marker::become_program(LOADER.1, arguments))),
        ..EXEC
    },
    Escape {
        id: "exec/ldso.absolute",
        summary: "Become the dynamic loader by execveat, whose absolute path ignores the descriptor",
        witnesses: &["hygiene/execute-once", "seccomp/execveat"],
        native: Some(|scene| {
            load(scene, |arguments| marker::become_absolute(LOADER.1, arguments, 0))
        }),
        ..EXEC
    },
];

/// The loader plays this same program from a copy that nobody may execute.
fn load(scene: &Scene, exec: fn(&[CString]) -> io::Result<Vec<u8>>) -> io::Result<Vec<u8>> {
    let copy = scene.run().join("copy");
    let result = marker::again(scene, || {
        fs::write(&copy, fs::read(marker::image()?)?)?;
        let mut arguments = marker::own_arguments(scene)?;
        arguments.splice(..1, [LOADER.1.into(), CString::new(copy.as_os_str().as_bytes())?]);
        exec(&arguments)
    });
    let removed = fs::remove_file(copy);
    result.and_then(|loot| removed.map(|()| loot))
}
