//! Execute a script of the run directory whose interpreter is a program that may be executed.

use super::marker;
use fixtures::watch::process::MARKER;
use harness::escape::{Escape, Layer};
use harness::scene::Scene;
use harness::twin::Twin;
use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::OpenOptionsExt;

const ID: &str = "exec/shebang";

pub(super) const ESCAPES: &[Escape] = &[Escape {
    id: ID,
    summary: "Become a script of the run directory that names the own program as its interpreter",
    techniques: &["EX-SHEBANG"],
    references: &["https://man7.org/linux/man-pages/man2/execve.2.html"],
    decoys: &[MARKER],
    stops: &[Layer::Landlock, Layer::Seccomp, Layer::Seatbelt, Layer::Hook],
    witnesses: &["landlock/execute", "seccomp/execve", "hook/os.*"],
    twin: Twin::OwnFile,
    native: Some(|scene| marker::again(scene, || script(scene))),
    python: Some(concat!(include_str!("marker.py"), include_str!("shebang.py"))),
    ..Escape::BLANK
}];

/// The kernel gives the interpreter one argument of the first line, the path of the script as it was
/// named, and the rest. So the script is named after this escape: its interpreter plays it again.
fn script(scene: &Scene) -> io::Result<Vec<u8>> {
    let mut line = b"#!".to_vec();
    line.extend(marker::image()?.as_os_str().as_bytes());
    line.extend(b" --stage\n");
    let file = scene.run().join(ID);
    fs::create_dir_all(scene.run().join("exec"))?;
    OpenOptions::new().write(true).create_new(true).mode(0o700).open(file)?.write_all(&line)?;
    let [_image, _stage, rest @ ..] = &*marker::own_arguments(scene)? else {
        return Err(io::ErrorKind::InvalidData.into());
    };
    marker::become_program(c"exec/shebang", rest)
}
