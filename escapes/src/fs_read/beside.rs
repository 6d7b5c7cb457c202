//! What stands beside a granted file or directory. A grant means one place with what is beneath, so the
//! folder that holds the place must stay closed.

use fixtures::watch::held::HELD_FILE;
use harness::escape::{Escape, Layer};
use harness::scene::Scene;
use rustix::fs::{Mode, OFlags, open};
use std::io;
use std::path::Path;

pub(super) const ESCAPES: &[Escape] = &[Escape {
    id: "fs-read/beside",
    summary: "Hold a folder open in which a granted file, device or directory lies",
    techniques: &["FR-OPEN"],
    references: &["https://man.archlinux.org/man/landlock.7.en.raw", "CWE-552"],
    decoys: &[HELD_FILE],
    stops: &[Layer::Landlock, Layer::MountNamespace, Layer::Seatbelt, Layer::Hook],
    witnesses: &[
        "landlock/place-device",
        "landlock/place-directory",
        "landlock/place-file",
        "landlock/place-program",
        "landlock/read-dir",
        "hook/open",
        "hook/read",
    ],
    silent: Some("a mount namespace has a folder of its own by that name"),
    native: Some(hold),
    python: Some(include_str!("beside.py")),
    ..Escape::BLANK
}];

/// Folders in which granted places lie and which are none themselves, whatever the host grants.
#[cfg(target_os = "linux")]
const FOLDERS: [&str; 5] = ["/dev", "/etc", "/etc/ssl", "/usr/lib", "/usr/share"];
#[cfg(target_os = "macos")]
const FOLDERS: [&str; 4] = ["/dev", "/private/etc", "/usr", "/usr/share"];

fn hold(scene: &Scene) -> io::Result<Vec<u8>> {
    // A sandbox may have no /proc to find it by.
    let program = std::env::current_exe().ok();
    let own = program.as_deref().and_then(Path::parent);
    let mut refused = io::Error::from_raw_os_error(libc::ENOENT);
    let mut any = false;
    for folder in FOLDERS.map(Path::new).into_iter().chain(own) {
        match open(folder, OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty()) {
            Ok(_held) => {
                scene.show(&format!("reads {}", folder.display()))?;
                any = true;
            }
            Err(error) if error == rustix::io::Errno::NOENT => {}
            Err(error) => refused = error.into(),
        }
    }
    if any { Ok(Vec::new()) } else { Err(refused) }
}
