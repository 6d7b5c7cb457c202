//! A small file system of the trial's own, made in a file and mounted nowhere: it goes when the last
//! descriptor of it is closed, even if nobody sweeps. Clue: `inherited-volume`, the number of its root.

use super::host_wide::Alone;
use crate::raw;
use fixtures::decoy::{Decoy, Evidence, EvidenceKind, Placed, Program, Site};
use rustix::fs::{Mode, OFlags, openat};
use rustix::io::{FdFlags, fcntl_setfd};
use std::ffi::{CString, OsString};
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::os::fd::{AsRawFd, OwnedFd};
use std::path::Path;
use std::process::{Command, Stdio};

/// The volume. That it takes no more files is evidence. Claim `write`: write a file to it now; claim
/// `check`: that the file lies on its disk already is evidence, for nobody but a program has asked for that.
#[derive(Debug)]
pub(super) struct Volume;

impl Decoy for Volume {
    fn place(&self, site: &Site<'_>) -> io::Result<Box<dyn Placed>> {
        // Whoever has everything written writes the volumes of other trials too.
        let alone = Alone::wait("disk")?;
        let image = tempfile::NamedTempFile::new()?;
        image.as_file().set_len(SIZE)?;
        format(image.path())?;
        let device = attach(image.as_file())?;
        let ends = mount(&device)?;
        drop(device);
        fcntl_setfd(&ends.root, FdFlags::empty())?;
        let written = format!("written-{}", site.nonce.chars().rev().collect::<String>());
        let (image, failure) = (image.into_file(), None);
        Ok(Box::new(Mounted { alone: Some(alone), ends: Some(ends), image, written, failure }))
    }
}

const SIZE: u64 = 1 << 22;
const CREATE: OFlags =
    OFlags::WRONLY.union(OFlags::CREATE).union(OFlags::EXCL).union(OFlags::CLOEXEC);

#[expect(
    clippy::disallowed_methods,
    reason = "it makes a decoy, and is not the program under trial"
)]
fn format(image: &Path) -> io::Result<()> {
    let ended = Command::new("mkfs.ext4")
        .args(["-q", "-F", "-E", "lazy_itable_init=0,nodiscard"])
        .arg(image)
        .env("PATH", "/usr/sbin:/sbin:/usr/bin:/bin")
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()?;
    if ended.success() { Ok(()) } else { Err(io::Error::other(format!("mkfs.ext4: {ended}"))) }
}

/// A loop device on the image. It is let go of with its last user.
struct Device {
    path: CString,
    _open: File,
}

/// The numbers of `linux/loop.h`.
fn attach(image: &File) -> io::Result<Device> {
    const LOOP_CTL_GET_FREE: usize = 0x4c82;
    const LOOP_CONFIGURE: usize = 0x4c0a;
    const LO_FLAGS_AUTOCLEAR: u32 = 4;
    /// Another program may take the free device first.
    const TRIES: u32 = 20;
    let open = |path: &str| OpenOptions::new().read(true).write(true).open(path);
    let control = open("/dev/loop-control")?;
    for _ in 0..TRIES {
        let control = control.as_raw_fd() as usize;
        let free = raw::call(libc::SYS_ioctl, [control, LOOP_CTL_GET_FREE, 0, 0, 0, 0])?;
        let path = format!("/dev/loop{free}");
        let device = open(&path)?;
        // `struct loop_config`: the descriptor first, the flags at byte 60.
        let mut config = [0_u32; 76];
        config[0] = image.as_raw_fd().unsigned_abs();
        config[15] = LO_FLAGS_AUTOCLEAR;
        let (number, place) = (device.as_raw_fd() as usize, config.as_ptr() as usize);
        match raw::call(libc::SYS_ioctl, [number, LOOP_CONFIGURE, place, 0, 0, 0]) {
            Ok(_attached) => return Ok(Device { path: CString::new(path)?, _open: device }),
            Err(error) if error.raw_os_error() == Some(libc::EBUSY) => {}
            Err(error) => return Err(error),
        }
    }
    Err(io::Error::from_raw_os_error(libc::EBUSY))
}

/// A mount that stands in no directory, and its root. It is gone when `mount` is closed.
#[derive(Debug)]
struct Ends {
    root: OwnedFd,
    _mount: OwnedFd,
}

fn mount(device: &Device) -> io::Result<Ends> {
    /// `linux/mount.h`.
    const FSCONFIG_SET_STRING: usize = 1;
    const FSCONFIG_CMD_CREATE: usize = 6;
    let context = raw::descriptor(libc::SYS_fsopen, [c"ext4".as_ptr() as usize, 0, 0, 0, 0, 0])?;
    let number = context.as_raw_fd() as usize;
    let (key, value) = (c"source".as_ptr() as usize, device.path.as_ptr() as usize);
    raw::call(libc::SYS_fsconfig, [number, FSCONFIG_SET_STRING, key, value, 0, 0])?;
    raw::call(libc::SYS_fsconfig, [number, FSCONFIG_CMD_CREATE, 0, 0, 0, 0])?;
    let _mount = raw::descriptor(libc::SYS_fsmount, [number, 0, 0, 0, 0, 0])?;
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
    Ok(Ends { root: openat(&_mount, ".", flags, Mode::empty())?, _mount })
}

/// Whether the disk of the volume holds a text.
fn holds(image: &mut File, text: &str) -> io::Result<bool> {
    image.seek(SeekFrom::Start(0))?;
    let mut disk = Vec::new();
    image.read_to_end(&mut disk)?;
    Ok(disk.windows(text.len()).any(|part| part == text.as_bytes()))
}

#[derive(Debug)]
struct Mounted {
    alone: Option<Alone>,
    ends: Option<Ends>,
    image: File,
    written: String,
    /// A look that failed: what was not seen then proves nothing.
    failure: Option<io::Error>,
}

impl Mounted {
    fn answer(&mut self, claim: &str) -> io::Result<Option<&'static str>> {
        let Some(ends) = &self.ends else { return Ok(None) };
        match claim {
            "write" => {
                let file = openat(&ends.root, "written", CREATE, Mode::RUSR)?;
                File::from(file).write_all(self.written.as_bytes())?;
                let soon = holds(&mut self.image, &self.written)?;
                let unfit = || io::Error::other("the volume writes to its disk at once");
                if soon { Err(unfit()) } else { Ok(None) }
            }
            "check" => {
                let asked = holds(&mut self.image, &self.written)?;
                Ok(asked.then_some("somebody had the volume write to its disk"))
            }
            _ => Ok(None),
        }
    }
}

fn evidence(detail: String) -> Evidence {
    Evidence { kind: EvidenceKind::ObjectChanged, detail }
}

impl Placed for Mounted {
    fn clues(&self) -> Vec<(&'static str, OsString)> {
        let number = self.ends.as_ref().map_or(-1, |ends| ends.root.as_raw_fd());
        vec![("inherited-volume", number.to_string().into())]
    }

    fn look(&mut self, _program: &Program<'_>, claim: &str) -> Vec<Evidence> {
        match self.answer(claim) {
            Ok(detail) => detail.map(|detail| evidence(detail.to_owned())).into_iter().collect(),
            Err(error) => {
                self.failure.get_or_insert(error);
                Vec::new()
            }
        }
    }

    fn observe(&mut self) -> io::Result<Vec<Evidence>> {
        if let Some(failure) = self.failure.take() {
            return Err(failure);
        }
        let Some(ends) = &self.ends else { return Ok(Vec::new()) };
        let refusal = openat(&ends.root, "after", CREATE, Mode::RUSR).err();
        let detail = |error| format!("the volume takes no more files: {error}");
        Ok(refusal.map(detail).map(evidence).into_iter().collect())
    }

    fn sweep(&mut self) -> Vec<String> {
        self.ends = None;
        self.alone = None;
        Vec::new()
    }
}
