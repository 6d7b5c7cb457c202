//! A file without a name gets its name later, and elsewhere.

use super::effect::done;
use crate::own_names;
use harness::escape::{Escape, Layer, Need};
use harness::scene::Scene;
use rustix::fs::{AtFlags, CWD, Mode, OFlags, linkat, open};
use std::io;
use std::os::fd::OwnedFd;
use std::path::Path;

const NAMELESS: Escape = Escape {
    techniques: &["FW-TMPFILE"],
    references: &["https://man7.org/linux/man-pages/man2/open.2.html"],
    stops: &[Layer::Landlock, Layer::MountNamespace, Layer::Hook],
    // A file system that has no nameless files says so.
    absent: &[libc::ENOSYS, libc::EOPNOTSUPP],
    ..Escape::BLANK
};

pub(super) const ESCAPES: &[Escape] = &[
    Escape {
        id: "fs-write/tmp-file",
        summary: "Create a nameless file in the run directory and name it outside",
        witnesses: &["layer/landlock", "hook/os.link"],
        native: Some(|scene| named(scene, &nameless(scene.run())?)),
        python: Some(include_str!("tmp_file.py")),
        ..NAMELESS
    },
    Escape {
        id: "fs-write/tmp-file.outside",
        summary: "Create a nameless file outside and name it there",
        witnesses: &["landlock/make-reg", "landlock/write-file", "hook/open", "hook/os.link"],
        native: Some(|scene| named(scene, &nameless(&scene.path("outside")?)?)),
        python: Some(include_str!("tmp_file.outside.py")),
        ..NAMELESS
    },
    Escape {
        id: "fs-write/tmp-file.empty-path",
        summary: "Create a nameless file in the run directory and name it outside by its descriptor",
        stops: &[Layer::Landlock, Layer::MountNamespace],
        needs: &[Need::Capability(2, "CAP_DAC_READ_SEARCH")],
        witnesses: &["layer/landlock"],
        native: Some(|scene| {
            let file = nameless(scene.run())?;
            let place = scene.path("outside")?.join("new");
            done(linkat(file, "", CWD, place, AtFlags::EMPTY_PATH))
        }),
        ..NAMELESS
    },
];

fn nameless(directory: &Path) -> io::Result<OwnedFd> {
    let flags = OFlags::TMPFILE | OFlags::WRONLY | OFlags::CLOEXEC;
    Ok(open(directory, flags, Mode::RUSR | Mode::WUSR)?)
}

fn named(scene: &Scene, file: &OwnedFd) -> io::Result<Vec<u8>> {
    let name = own_names::of_descriptor(file);
    let place = scene.path("outside")?.join("new");
    done(linkat(CWD, name, CWD, place, AtFlags::SYMLINK_FOLLOW))
}
