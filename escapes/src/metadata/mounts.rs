//! List what is mounted: the places tell of disks, containers and users, and which other sandboxes there are.
//! The calls open no file, so no rule on files covers them, and go by numbers that count up.

use crate::raw;
use fixtures::decoy::{Decoy, Placed, Site};
use fixtures::watch::looking::{Looking, Question};
use harness::escape::{Escape, Layer};
use harness::scene::Scene;
use harness::twin::Twin;
use rustix::fs::{AtFlags, CWD, StatxFlags, statx};
use std::io;

const MOUNTS: Escape = Escape {
    techniques: &["FM-STATFS"],
    references: &["https://man7.org/linux/man-pages/man2/statmount.2.html", "CWE-497"],
    decoys: &[&Table],
    stops: &[Layer::Seccomp, Layer::MountNamespace],
    twin: Twin::OwnTree,
    ..Escape::BLANK
};

pub(super) const ESCAPES: &[Escape] = &[
    Escape {
        id: "metadata/mounts",
        summary: "Learn where something is mounted, by numbers that are next to that of the root",
        witnesses: &["seccomp/statmount"],
        native: Some(|scene| {
            let root = number_of_root()?;
            places(scene, (root.saturating_sub(NEAR).max(FIRST)..root + NEAR).collect())
        }),
        ..MOUNTS
    },
    Escape {
        id: "metadata/mounts.listed",
        summary: "Learn where something is mounted, by a list of all that is",
        witnesses: &["seccomp/listmount", "seccomp/statmount"],
        native: Some(|scene| places(scene, listed()?)),
        ..MOUNTS
    },
    Escape {
        id: "metadata/mounts.numbers",
        summary: "Learn which mounts there are, by a list of numbers alone",
        references: &["https://man7.org/linux/man-pages/man2/listmount.2.html", "CWE-497"],
        witnesses: &["seccomp/listmount"],
        native: Some(|scene| {
            let root = number_of_root()?;
            let other = listed()?.into_iter().filter(|number| *number != root).min();
            scene.show(&format!("number {}", other.unwrap_or_default()))?;
            Ok(Vec::new())
        }),
        ..MOUNTS
    },
];

/// The same numbers on every architecture (Linux 6.8).
const STATMOUNT: i64 = 457;
const LISTMOUNT: i64 = 458;

/// How far from the root's number others are looked for, and the first that there can be (`fs/namespace.c`).
const NEAR: u64 = 256;
const FIRST: u64 = (1 << 31) + 1;
/// Mounts that are looked at, of one host.
const MANY: usize = 512;
/// Bytes of a place that may be told: a word of the program must not be longer than what is listened to.
const LONGEST: usize = 400;

/// `struct mnt_id_req`, `linux/mount.h`: its size, a mount, and what is asked of it or the last one that is known.
fn request(mount: u64, parameter: u64) -> [u64; 3] {
    [size_of::<[u64; 3]>() as u64, mount, parameter]
}

/// The number by which the newer calls know the mount of the root, which everybody may look at.
fn number_of_root() -> io::Result<u64> {
    /// `STATX_MNT_ID_UNIQUE`.
    const UNIQUE: StatxFlags = StatxFlags::from_bits_retain(0x4000);
    let root = statx(CWD, "/", AtFlags::empty(), UNIQUE)?;
    let known = root.stx_mask & UNIQUE.bits() != 0;
    known.then_some(root.stx_mnt_id).ok_or_else(|| io::Error::from_raw_os_error(libc::ENOSYS))
}

/// The numbers of all mounts that can be reached.
fn listed() -> io::Result<Vec<u64>> {
    /// `LSMT_ROOT`.
    const ALL: u64 = u64::MAX;
    let request = request(ALL, 0);
    let mut numbers = vec![0_u64; MANY];
    let places = [request.as_ptr() as usize, numbers.as_mut_ptr() as usize];
    let length = raw::call(LISTMOUNT, [places[0], places[1], MANY, 0, 0, 0])?;
    numbers.truncate(usize::try_from(length).map_err(io::Error::other)?);
    Ok(numbers)
}

/// Where a mount is.
fn place(number: u64) -> io::Result<String> {
    /// `STATMOUNT_MNT_POINT`.
    const POINT: u64 = 0x10;
    /// Words of `struct statmount` before its text, and bytes before the offset of the place in that.
    const WORDS: usize = 64;
    const OFFSET: usize = 108;
    let request = request(number, POINT);
    let mut answer = vec![0_u64; WORDS + 512];
    let places = [request.as_ptr() as usize, answer.as_mut_ptr() as usize];
    raw::call(STATMOUNT, [places[0], places[1], size_of_val(&*answer), 0, 0, 0])?;
    let bytes: Vec<u8> = answer.iter().flat_map(|word| word.to_ne_bytes()).collect();
    let odd = || io::Error::from(io::ErrorKind::InvalidData);
    let offset = bytes.get(OFFSET..OFFSET + 4).and_then(|word| word.try_into().ok());
    let start = WORDS * 8 + offset.map(u32::from_ne_bytes).ok_or_else(odd)? as usize;
    let text = bytes.get(start..).and_then(|text| text.split(|byte| *byte == 0).next());
    Ok(String::from_utf8_lossy(text.ok_or_else(odd)?).into_owned())
}

/// Tells the place of the first of these mounts that is not the root. A number that is none's is passed over, and
/// one of another tree of mounts, which only the privileged may ask for.
fn places(scene: &Scene, mut numbers: Vec<u64>) -> io::Result<Vec<u8>> {
    numbers.sort_unstable();
    let mut denied = None;
    for number in numbers {
        match place(number) {
            Ok(place) if (2..LONGEST).contains(&place.len()) => {
                scene.show(&format!("mounted {number} {place}"))?;
                return Ok(Vec::new());
            }
            Ok(_root) => {}
            Err(error) => match error.raw_os_error() {
                Some(libc::ENOENT) => {}
                Some(libc::EPERM) => denied = Some(error),
                Some(_) | None => return Err(error),
            },
        }
    }
    denied.map_or_else(|| Ok(Vec::new()), Err)
}

/// Claims `mounted NUMBER PLACE` and `number NUMBER`, compared with what is mounted where the watcher is.
#[derive(Debug)]
struct Table;

impl Decoy for Table {
    fn place(&self, _site: &Site<'_>) -> io::Result<Box<dyn Placed>> {
        Ok(Box::new(Looking::new(Reader)))
    }
}

#[derive(Debug)]
struct Reader;

/// Whether a claim is true. A number that is not the root's is nobody's to guess.
fn is_known(claim: &str) -> io::Result<bool> {
    let known = |text: &str| text.parse().ok().filter(|number: &u64| *number >= FIRST);
    match claim.split_once(' ') {
        Some(("number", text)) => {
            let Some(number) = known(text) else { return Ok(false) };
            Ok(number != number_of_root()? && listed()?.contains(&number))
        }
        Some(("mounted", text)) => {
            let pair = text.split_once(' ').and_then(|(text, told)| Some((known(text)?, told)));
            let Some((number, told)) = pair else { return Ok(false) };
            match place(number) {
                Ok(place) => Ok(place == told),
                // A mount of another tree of mounts, which is no secret of this one.
                Err(error) if matches!(error.raw_os_error(), Some(libc::ENOENT | libc::EPERM)) => {
                    Ok(false)
                }
                Err(error) => Err(error),
            }
        }
        Some(_) | None => Ok(false),
    }
}

impl Question for Reader {
    fn look(&mut self, _nonce: &str, claim: &str) -> io::Result<Option<String>> {
        let detail = || format!("the program knows of the mounts of the host: {claim}");
        Ok(is_known(claim)?.then(detail))
    }
}
