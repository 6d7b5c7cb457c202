//! A request to a device that the program may open. Landlock gives the content of a device's node like
//! that of a file, and its requests by a right of their own, which a policy must handle and not grant.

use crate::raw;
use fixtures::decoy::{Decoy, Evidence, Placed, Site};
use fixtures::watch::held::HELD_DESCRIPTOR;
use harness::escape::{Escape, Layer, Need};
use harness::scene::Scene;
use rustix::fs::{CWD, FileType, Mode, mknodat, stat};
use std::ffi::OsString;
use std::fs::File;
use std::io;
use std::os::fd::AsRawFd;
use std::path::PathBuf;

/// A device of which a request makes an object that can be seen, and which does no harm.
const DEVICE: &str = "/dev/userfaultfd";

/// `USERFAULTFD_IOC_NEW` of linux/userfaultfd.h, `_IO(0xAA, 0)`.
const NEW: usize = 0xaa00;

pub(super) const ESCAPES: &[Escape] = &[Escape {
    id: "layer/device",
    summary: "Get a kernel object by a request to a device whose node lies in the run directory",
    techniques: &["SC-HANDLED", "SC-IOCTLALLOW", "KP-USERFAULT"],
    references: &[
        "https://man.archlinux.org/man/landlock.7.en.raw",
        "https://man7.org/linux/man-pages/man2/userfaultfd.2.html",
    ],
    needs: &[Need::Linux, Need::Capability(27, "CAP_MKNOD"), Need::File(DEVICE)],
    decoys: &[&Node, HELD_DESCRIPTOR],
    stops: &[Layer::Landlock, Layer::Seccomp],
    witnesses: &["landlock/ioctl-dev", "landlock/place-run", "seccomp/ioctl"],
    native: Some(request),
    ..Escape::BLANK
}];

fn request(scene: &Scene) -> io::Result<Vec<u8>> {
    let device = File::options().read(true).write(true).open(scene.path("node")?)?;
    let number = device.as_raw_fd() as usize;
    let object = raw::descriptor(libc::SYS_ioctl, [number, NEW, 0, 0, 0, 0])?;
    scene.show("descriptor anon_inode:[userfaultfd]")?;
    drop(object);
    Ok(Vec::new())
}

/// A node of the device in the run directory. Clue: `node`, its path.
#[derive(Debug)]
struct Node;

impl Decoy for Node {
    fn place(&self, site: &Site<'_>) -> io::Result<Box<dyn Placed>> {
        let path = site.run.join("device");
        let device = stat(DEVICE)?.st_rdev;
        mknodat(CWD, &path, FileType::CharacterDevice, Mode::from_raw_mode(0o600), device)?;
        Ok(Box::new(Made(path)))
    }
}

#[derive(Debug)]
struct Made(PathBuf);

impl Placed for Made {
    fn clues(&self) -> Vec<(&'static str, OsString)> {
        vec![("node", self.0.clone().into_os_string())]
    }

    fn observe(&mut self) -> io::Result<Vec<Evidence>> {
        Ok(Vec::new())
    }

    fn sweep(&mut self) -> Vec<String> {
        Vec::new()
    }
}
