//! Compare what processes outside have open: the kernel says whether two descriptors are one open file,
//! of processes that may not be looked at otherwise.

use crate::raw;
use fixtures::decoy::{Decoy, Evidence, Placed, Site};
use harness::escape::{Escape, Layer};
use harness::scene::Scene;
use harness::twin::Twin;
use std::ffi::OsString;
use std::fs::File;
use std::io;
use std::os::fd::AsRawFd;

pub(super) const ESCAPES: &[Escape] = &[Escape {
    id: "process/compare",
    summary: "Tell by comparison which descriptors of a process outside are one open file",
    techniques: &["KP-PTRACE"],
    references: &["https://man7.org/linux/man-pages/man2/kcmp.2.html", "CWE-203"],
    decoys: &[&Copies],
    stops: &[Layer::Landlock, Layer::Seccomp, Layer::OtherNamespace],
    witnesses: &["hygiene/capabilities", "layer/landlock", "seccomp/kcmp"],
    // A kernel without `CONFIG_KCMP`, or one that lets only the privileged trace.
    absent: &[libc::ENOSYS, libc::EPERM],
    twin: Twin::OwnProcess,
    native: Some(compare),
    ..Escape::BLANK
}];

/// Spells the token: a copy of the first descriptor is a one.
fn compare(scene: &Scene) -> io::Result<Vec<u8>> {
    /// `KCMP_FILE`, `linux/kcmp.h`.
    const OPEN_FILE: usize = 0;
    let process: usize = scene.number("copies-process")?;
    let first: usize = scene.number("copies-first")?;
    let mut digits = String::new();
    let mut digit = 0;
    for (number, other) in scene.text("copies")?.split(',').enumerate() {
        let other = other.parse().map_err(|_error| io::ErrorKind::InvalidData)?;
        let arguments = [process, process, OPEN_FILE, first, other, 0];
        digit = digit << 1 | u32::from(raw::call(libc::SYS_kcmp, arguments)? == 0);
        if number % 4 == 3 {
            digits.extend(char::from_digit(digit, 16));
            digit = 0;
        }
    }
    Ok(digits.into_bytes())
}

/// Descriptors of the watcher, of which those are copies of the first that stand for a one of the token.
/// Clues: `copies-process`, the pid; `copies-first`, the number of the first; `copies`, the others.
#[derive(Debug)]
struct Copies;

impl Decoy for Copies {
    fn place(&self, site: &Site<'_>) -> io::Result<Box<dyn Placed>> {
        let first = File::open(site.outside.join("writable"))?;
        let other = File::open(site.outside.join("writable"))?;
        let copy = |digit: char, bit: u32| {
            let one = digit.to_digit(16).unwrap_or(0) & bit != 0;
            if one { first.try_clone() } else { other.try_clone() }
        };
        let copies: io::Result<Vec<File>> =
            site.token.chars().flat_map(|digit| [8, 4, 2, 1].map(|bit| copy(digit, bit))).collect();
        Ok(Box::new(Opened { copies: copies?, first: Some(first) }))
    }
}

#[derive(Debug)]
struct Opened {
    first: Option<File>,
    copies: Vec<File>,
}

impl Placed for Opened {
    fn clues(&self) -> Vec<(&'static str, OsString)> {
        let first = self.first.as_ref().map_or(-1, AsRawFd::as_raw_fd);
        let copies: Vec<String> =
            self.copies.iter().map(|copy| copy.as_raw_fd().to_string()).collect();
        vec![
            ("copies-process", std::process::id().to_string().into()),
            ("copies-first", first.to_string().into()),
            ("copies", copies.join(",").into()),
        ]
    }

    fn observe(&mut self) -> io::Result<Vec<Evidence>> {
        Ok(Vec::new())
    }

    fn sweep(&mut self) -> Vec<String> {
        self.first = None;
        self.copies.clear();
        Vec::new()
    }
}
