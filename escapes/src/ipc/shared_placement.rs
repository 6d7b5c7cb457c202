//! Say on which nodes of the machine the memory lies that somebody else shares. A policy for a mapping of shared
//! memory is one of the object itself, for all who have it, and who sets it needs no right to write (mbind(2)).

use crate::raw;
use fixtures::decoy::{Decoy, Evidence, EvidenceKind, Placed, Site};
use harness::escape::{Escape, Layer, Need};
use harness::twin::Twin;
use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Write};
use std::os::fd::AsFd;
use std::path::{Path, PathBuf};

pub(super) const ESCAPES: &[Escape] = &[Escape {
    id: "ipc/shared-placement",
    summary: "Spread the shared memory of somebody else over other nodes, by a mapping to read it",
    techniques: &["IP-SHMNAMED"],
    references: &["https://man7.org/linux/man-pages/man2/mbind.2.html", "CWE-284"],
    needs: &[Need::File(FOLDER)],
    decoys: &[&Shared],
    stops: &[Layer::Landlock, Layer::Seccomp, Layer::MountNamespace],
    witnesses: &["landlock/read-file", "seccomp/mbind"],
    twin: Twin::OwnFile,
    native: Some(|scene| {
        let file = File::open(scene.path("shared-memory")?)?;
        let words = raw::map_read_only(file.as_fd(), LENGTH)?;
        let (start, nodes) = (words.as_ptr() as usize, FIRST_NODE);
        let nodes = &raw const nodes as usize;
        raw::call(libc::SYS_mbind, [start, LENGTH, INTERLEAVE, nodes, BITS, 0])?;
        Ok(Vec::new())
    }),
    ..Escape::BLANK
}];

const FOLDER: &str = "/dev/shm";
const LENGTH: usize = 1 << 13;

/// `MPOL_INTERLEAVE`, a set with the node that every machine has, and how many bits of one are looked at.
const INTERLEAVE: usize = 3;
const FIRST_NODE: u64 = 1;
const BITS: usize = u64::BITS as usize;

/// Shared memory with a name. Clue: `shared-memory`, its path.
#[derive(Debug)]
struct Shared;

impl Decoy for Shared {
    fn place(&self, site: &Site<'_>) -> io::Result<Box<dyn Placed>> {
        let path = Path::new(FOLDER).join(format!("placement-{}", site.nonce));
        File::create_new(&path)?.write_all(&[0; LENGTH])?;
        let before = policy(&path).inspect_err(|_error| {
            let _told_by_the_error = fs::remove_file(&path);
        })?;
        Ok(Box::new(Placement { path, before }))
    }
}

/// How the object is placed, asked by a new mapping of it. A machine without nodes knows no policy.
fn policy(path: &Path) -> io::Result<Option<(i32, u64)>> {
    /// `MPOL_F_ADDR`.
    const OF_ADDRESS: usize = 2;
    let words = raw::map_read_only(File::open(path)?.as_fd(), LENGTH)?;
    let (mut mode, mut nodes) = (0_i32, 0_u64);
    let places = [&raw mut mode as usize, &raw mut nodes as usize];
    let start = words.as_ptr() as usize;
    match raw::call(libc::SYS_get_mempolicy, [places[0], places[1], BITS, start, OF_ADDRESS, 0]) {
        Ok(_) => Ok(Some((mode, nodes))),
        Err(error) if error.raw_os_error() == Some(libc::ENOSYS) => Ok(None),
        Err(error) => Err(error),
    }
}

#[derive(Debug)]
struct Placement {
    path: PathBuf,
    before: Option<(i32, u64)>,
}

impl Placed for Placement {
    fn clues(&self) -> Vec<(&'static str, OsString)> {
        vec![("shared-memory", self.path.clone().into())]
    }

    fn observe(&mut self) -> io::Result<Vec<Evidence>> {
        let after = policy(&self.path)?;
        let detail =
            format!("shared memory outside went from policy {:?} to {after:?}", self.before);
        let evidence = Evidence { kind: EvidenceKind::ObjectChanged, detail };
        Ok(if after == self.before { Vec::new() } else { vec![evidence] })
    }

    fn sweep(&mut self) -> Vec<String> {
        match fs::remove_file(&self.path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                vec![format!("{:?}: {error}", self.path)]
            }
            Ok(()) | Err(_) => Vec::new(),
        }
    }
}
