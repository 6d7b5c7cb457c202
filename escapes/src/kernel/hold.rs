//! Shows a descriptor to the watcher, for many escapes end with holding one: what it could do is not done.

use crate::raw;
use fixtures::watch::held::HELD_DESCRIPTOR;
use harness::escape::{Escape, Layer};
use harness::scene::Scene;
use std::fs::OpenOptions;
use std::io;

/// Makes a system call that answers with a descriptor, shows the descriptor by a part of its link in
/// `/proc`, and closes it.
pub(super) fn hold(
    scene: &Scene,
    number: i64,
    arguments: [usize; 6],
    link: &str,
) -> io::Result<Vec<u8>> {
    let _held = raw::descriptor(number, arguments)?;
    scene.show(&format!("descriptor {link}"))?;
    Ok(Vec::new())
}

/// A place at which the kernel is told something for the whole host, held open for writing.
pub(crate) const FOR_WRITING: Escape = Escape {
    decoys: &[HELD_DESCRIPTOR],
    stops: &[Layer::Landlock, Layer::MountNamespace, Layer::Hook],
    // The place belongs to another user, or to nobody (a container).
    absent: &[libc::ENOSYS, libc::EACCES, libc::EPERM, libc::EROFS],
    ..Escape::BLANK
};

/// Opens it, shows that it is held, and closes it again unwritten.
pub(crate) fn for_writing(scene: &Scene, path: &str) -> io::Result<Vec<u8>> {
    open(scene, OpenOptions::new().write(true), path)
}

/// Opens a file of the host, shows that it is held, and closes it.
pub(crate) fn open(scene: &Scene, options: &OpenOptions, path: &str) -> io::Result<Vec<u8>> {
    let _held = options.open(path)?;
    scene.show(&format!("descriptor {path}"))?;
    Ok(Vec::new())
}
