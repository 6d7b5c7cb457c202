//! Throw what others read out of memory. Whoever may read a file shares its pages with all who do, and can
//! make them wait for the disk again, or tell from the next look that they came back.

use crate::pages::{in_memory, on_disk};
use fixtures::decoy::{Decoy, EvidenceKind, Placed, Site};
use fixtures::watch::looking::{Looking, Question};
use harness::escape::{Escape, Layer};
use harness::scene::Scene;
use harness::twin::Twin;
use rustix::fs::{Advice, fadvise};
use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Write};
use std::os::unix::fs::FileExt;
use std::path::PathBuf;

pub(super) const ESCAPES: &[Escape] = &[Escape {
    id: "kernel/page-cache",
    summary: "Throw a file that others read out of memory by advice on the file",
    techniques: &["FR-PAGECACHE"],
    references: &["https://arxiv.org/abs/1901.01161", "CWE-404"],
    decoys: &[&Warm],
    stops: &[Layer::Seccomp],
    witnesses: &["seccomp/fadvise64"],
    silent: Some("advice may be ignored, and its answer is success all the same"),
    absent: &[libc::ENOSYS, libc::EOPNOTSUPP],
    twin: Twin::OwnFile,
    native: Some(evict),
    python: Some(include_str!("page_cache.py")),
    ..Escape::BLANK
}];

const CLAIM: &str = "evicted";
const LENGTH: usize = 1 << 16;
const PAGE: usize = 1 << 12;

fn evict(scene: &Scene) -> io::Result<Vec<u8>> {
    fadvise(on_disk(&scene.path("warm")?)?, 0, None, Advice::DontNeed)?;
    scene.show(CLAIM).map(|()| Vec::new())
}

/// Clue `warm`: a file in the run directory that lies in memory, for somebody outside has read it; `disk`
/// tells whether it could be anywhere else. The watcher looks whether it still lies there.
#[derive(Clone, Copy, Debug)]
struct Warm;

impl Decoy for Warm {
    fn place(&self, site: &Site<'_>) -> io::Result<Box<dyn Placed>> {
        let path = site.run.join("warm");
        File::create_new(&path)?.write_all(&vec![b'w'; LENGTH])?;
        Ok(Box::new(Looking::new(watch(path)?)))
    }
}

/// Reads the file, so that it lies in memory.
fn watch(path: PathBuf) -> io::Result<Watched> {
    let file = File::open(&path)?;
    file.sync_all()?;
    file.read_exact_at(&mut vec![0; LENGTH], 0)?;
    Ok(Watched { path, file })
}

#[derive(Debug)]
struct Watched {
    path: PathBuf,
    file: File,
}

impl Watched {
    /// How many of its pages are in memory. The kernel is asked, since a read that would not wait has the pages fetched
    /// that it misses, and a fast disk has them there before the answer.
    fn pages(&self) -> io::Result<usize> {
        Ok(in_memory(&self.file, 0, LENGTH)? as usize)
    }
}

impl Question for Watched {
    const SEEN: EvidenceKind = EvidenceKind::ObjectChanged;

    fn clues(&self) -> Vec<(&'static str, OsString)> {
        let disk = if on_disk(&self.path).is_ok() { "yes" } else { "no" };
        vec![("warm", self.path.clone().into()), ("disk", disk.into())]
    }

    fn look(&mut self, _nonce: &str, claim: &str) -> io::Result<Option<String>> {
        if claim != CLAIM {
            return Ok(None);
        }
        let left = self.pages()?;
        // Of a file that nobody threw out the machine itself takes a page or two at most.
        let thrown_out = left < LENGTH / PAGE / 2;
        Ok(thrown_out.then(|| format!("{left} of {} pages are left in memory", LENGTH / PAGE)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn a_look_brings_no_page_into_memory() -> Result<(), Box<dyn std::error::Error>> {
        let directory = tempfile::tempdir()?;
        let run = directory.path();
        Warm.place(&Site { token: "", nonce: "", outside: run, run, helper: &[] })?;
        let Ok(program) = on_disk(&run.join("warm")) else { return Ok(()) };
        let watched = watch(run.join("warm"))?;
        assert_eq!(watched.pages()?, LENGTH / PAGE);
        fadvise(&program, 0, None, Advice::DontNeed)?;
        for _look in 0..3 {
            assert_eq!(watched.pages()?, 0);
            // Time for the disk.
            std::thread::sleep(Duration::from_millis(20));
        }
        Ok(())
    }
}
