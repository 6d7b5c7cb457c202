//! Watching a directory tells the name of everything that comes and goes in it, as it happens.

use fixtures::watch::touched::TOUCHED;
use harness::escape::{Escape, Layer};
use harness::scene::Scene;
use rustix::fs::inotify::{CreateFlags, Reader, WatchFlags, add_watch, init};
use std::io;
use std::mem::MaybeUninit;

pub(super) const ESCAPES: &[Escape] = &[Escape {
    id: "metadata/inotify",
    summary: "Watch a directory outside and learn the name of a file that is made there",
    techniques: &["FM-INOTIFY"],
    references: &["https://man7.org/linux/man-pages/man7/inotify.7.html"],
    decoys: &[TOUCHED],
    stops: &[Layer::Seccomp, Layer::MountNamespace],
    witnesses: &["seccomp/inotify_add_watch", "seccomp/inotify_init1"],
    native: Some(watch),
    ..Escape::BLANK
}];

fn watch(scene: &Scene) -> io::Result<Vec<u8>> {
    let watcher = init(CreateFlags::CLOEXEC)?;
    add_watch(&watcher, scene.path("watched")?, WatchFlags::CREATE | WatchFlags::DELETE)?;
    let mut buffer = [MaybeUninit::uninit(); 4096];
    let mut reader = Reader::new(watcher, &mut buffer);
    let event = reader.next()?;
    Ok(event.file_name().map(|name| name.to_bytes().to_vec()).unwrap_or_default())
}
