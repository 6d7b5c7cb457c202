//! What others have read lately: the pages of a file that lie in memory. Whoever may read a file shares its
//! pages with all who do, and some calls tell of pages without reading them.

use super::decoy::bits;
use crate::pages::{self, on_disk};
use crate::raw;
use fixtures::decoy::{Decoy, Evidence, Placed, Site};
use harness::escape::{Escape, Layer};
use harness::scene::Scene;
use harness::twin::Twin;
use rustix::fs::{Advice, fadvise};
use rustix::io::{Errno, ReadWriteFlags, preadv2};
use std::ffi::OsString;
use std::fs::File;
use std::io::{self, IoSliceMut, Write};
use std::num::NonZeroU64;
use std::os::fd::AsFd;
use std::os::unix::fs::FileExt;
use std::path::PathBuf;

const PAGES: Escape = Escape {
    techniques: &["FR-PAGECACHE"],
    references: &["https://arxiv.org/abs/1901.01161", "CWE-203"],
    decoys: &[&Read],
    stops: &[Layer::Seccomp],
    absent: &[libc::ENOSYS, libc::EOPNOTSUPP],
    twin: Twin::OwnFile,
    ..Escape::BLANK
};

pub(super) const ESCAPES: &[Escape] = &[
    Escape {
        id: "metadata/page-cache",
        summary: "Learn which pages of a file others have read, by a read that would not wait",
        witnesses: &["seccomp/preadv2"],
        native: Some(without_waiting),
        python: Some(include_str!("page_cache.py")),
        ..PAGES
    },
    Escape {
        id: "metadata/page-cache.resident",
        summary: "Learn which pages of a file others have read, by asking for those in memory",
        witnesses: &["seccomp/mincore"],
        native: Some(resident),
        ..PAGES
    },
    Escape {
        id: "metadata/page-cache.counted",
        summary: "Learn which pages of a file others have read, by having those in memory counted",
        references: &["https://lwn.net/Articles/917096/", "CWE-203"],
        witnesses: &["seccomp/cachestat"],
        native: Some(counted),
        ..PAGES
    },
];

/// Bytes of the file for each bit of the token: so many pages that not all of them arrive before they are asked for.
const STRIDE: usize = 1 << 16;
const BITS: usize = 128;
const PAGE: usize = 1 << 12;

/// Clue `pages`: a file in the run directory of which somebody outside has read what the token says: the
/// stretches whose bits are set.
#[derive(Clone, Copy, Debug)]
struct Read;

impl Decoy for Read {
    fn place(&self, site: &Site<'_>) -> io::Result<Box<dyn Placed>> {
        let path = site.run.join("pages");
        File::create_new(&path)?.write_all(&vec![b'p'; BITS * STRIDE])?;
        let file = File::open(&path)?;
        file.sync_all()?;
        for advice in [Advice::DontNeed, Advice::Random] {
            fadvise(&file, 0, NonZeroU64::new((BITS * STRIDE) as u64), advice)?;
        }
        for (number, bit) in bits(site.token).enumerate() {
            if bit {
                file.read_exact_at(&mut [0; STRIDE], (number * STRIDE) as u64)?;
            }
        }
        Ok(Box::new(Pages(path)))
    }
}

#[derive(Debug)]
struct Pages(PathBuf);

impl Placed for Pages {
    fn clues(&self) -> Vec<(&'static str, OsString)> {
        vec![("pages", self.0.clone().into())]
    }

    fn observe(&mut self) -> io::Result<Vec<Evidence>> {
        Ok(Vec::new())
    }

    fn sweep(&mut self) -> Vec<String> {
        Vec::new()
    }
}

fn without_waiting(scene: &Scene) -> io::Result<Vec<u8>> {
    let file = on_disk(&scene.path("pages")?)?;
    spell(in_memory(&file)?.into_iter().map(Ok))
}

/// Which stretches lie in memory. Of a page that is asked for and is missing, the kernel fetches the next ones
/// too, and they may arrive before they are asked for: so the last page comes first. It may itself arrive
/// before the answer: so a stretch counts if all its pages are there.
fn in_memory(file: &File) -> io::Result<Vec<bool>> {
    let mut bits = vec![true; BITS];
    for place in (0..BITS * STRIDE).step_by(PAGE).rev() {
        let mut byte = [0];
        let buffers = &mut [IoSliceMut::new(&mut byte)];
        match preadv2(file, buffers, place as u64, ReadWriteFlags::NOWAIT) {
            Ok(length) => bits[place / STRIDE] &= length == 1,
            Err(Errno::AGAIN) => bits[place / STRIDE] = false,
            Err(error) => return Err(error.into()),
        }
    }
    Ok(bits)
}

fn resident(scene: &Scene) -> io::Result<Vec<u8>> {
    let file = on_disk(&scene.path("pages")?)?;
    let length = BITS * STRIDE;
    let words = raw::map_read_only(file.as_fd(), length)?;
    let mut pages = vec![0_u8; length / PAGE];
    let arguments = [words.as_ptr() as usize, length, pages.as_mut_ptr() as usize, 0, 0, 0];
    raw::call(libc::SYS_mincore, arguments)?;
    spell(pages.iter().step_by(STRIDE / PAGE).map(|page| Ok(page & 1 == 1)))
}

/// Linux 6.5. Who owns the file or may write it has its pages counted by the kernel.
fn counted(scene: &Scene) -> io::Result<Vec<u8>> {
    let file = on_disk(&scene.path("pages")?)?;
    spell((0..BITS).map(|number| Ok(pages::in_memory(&file, number * STRIDE, PAGE)? > 0)))
}

/// The hexadecimal digits of bits.
fn spell(bits: impl Iterator<Item = io::Result<bool>>) -> io::Result<Vec<u8>> {
    let bits = bits.collect::<io::Result<Vec<bool>>>()?;
    let digits =
        bits.chunks(4).map(|four| four.iter().fold(0, |sum, bit| 2 * sum + u8::from(*bit)));
    Ok(digits.map(|digit| format!("{digit:x}")).collect::<String>().into_bytes())
}
