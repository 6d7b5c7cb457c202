//! Be able to gain privileges by an execution: a file with a set-user-ID bit makes its owner of whoever
//! executes it, unless the launcher gave that up for the program.

use fixtures::decoy::{Decoy, Placed, Site};
use fixtures::watch::looking::{Looking, Question};
use harness::escape::{Escape, Layer};
use harness::twin::Twin;
use std::fs;
use std::io;

pub(super) const ESCAPES: &[Escape] = &[Escape {
    id: "kernel/no-new-privileges",
    summary: "Be a process that may gain privileges by an execution",
    techniques: &["KP-SETUIDCALL", "SC-NONNP"],
    references: &["https://docs.kernel.org/userspace-api/no_new_privs.html", "CWE-250"],
    decoys: &[&Promise],
    // Landlock and filters of an ordinary user need the promise, so their launchers make it.
    stops: &[Layer::Landlock, Layer::Seccomp, Layer::Hygiene],
    witnesses: &["hygiene/capabilities", "hygiene/no-new-privileges"],
    // The launcher of an unconfined program has itself made the promise.
    absent: &[libc::EPERM],
    twin: Twin::OwnProcess,
    native: Some(|scene| {
        scene.show(CLAIM)?;
        if nix::sys::prctl::get_no_new_privs()? {
            return Err(io::Error::from_raw_os_error(libc::EPERM));
        }
        Ok(Vec::new())
    }),
    ..Escape::BLANK
}];

/// What the program wants looked at.
const CLAIM: &str = "privileges";

/// Looks at whether the program has promised to gain no privileges.
#[derive(Debug)]
struct Promise;

impl Decoy for Promise {
    fn place(&self, _site: &Site<'_>) -> io::Result<Box<dyn Placed>> {
        Ok(Box::new(Looking::new(Looker)))
    }
}

#[derive(Debug)]
struct Looker;

impl Question for Looker {
    fn look(&mut self, nonce: &str, claim: &str) -> io::Result<Option<String>> {
        if claim != CLAIM {
            return Ok(None);
        }
        let detail = |process| format!("process {process} may gain privileges by an execution");
        Ok(may_gain(nonce)?.map(detail))
    }
}

/// The program, if it has not promised. It is the newest process with the nonce in its command line:
/// wrappers come before it.
fn may_gain(nonce: &str) -> io::Result<Option<u32>> {
    let mut newest = None;
    for entry in fs::read_dir("/proc")? {
        let Ok(process) = entry?.file_name().to_string_lossy().parse::<u32>() else { continue };
        // One that ends meanwhile is not the program, which waits.
        let (Ok(line), Ok(stat), Ok(status)) = (
            fs::read(format!("/proc/{process}/cmdline")),
            fs::read_to_string(format!("/proc/{process}/stat")),
            fs::read_to_string(format!("/proc/{process}/status")),
        ) else {
            continue;
        };
        if process != std::process::id() && String::from_utf8_lossy(&line).contains(nonce) {
            // Fields after the name, which may hold anything; the start is the 22nd of all.
            let fields = stat.rsplit_once(')').map_or("", |(_, fields)| fields);
            let start: u64 = fields
                .split_whitespace()
                .nth(22 - 3)
                .and_then(|start| start.parse().ok())
                .ok_or(io::ErrorKind::InvalidData)?;
            let promised = status.lines().any(|line| line == "NoNewPrivs:\t1");
            newest = newest.max(Some((start, process, promised)));
        }
    }
    let (_, process, promised) = newest.ok_or(io::ErrorKind::NotFound)?;
    Ok((!promised).then_some(process))
}
