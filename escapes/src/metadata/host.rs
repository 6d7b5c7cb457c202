//! Learn which host this is: its name, and how much memory it has to the byte. No layer of one process
//! hides that, only another namespace or machine.

use fixtures::decoy::{Decoy, Evidence, EvidenceKind, Placed, Program, Site};
use harness::escape::{Bar, Escape, Layer};
use harness::twin::Twin;
use std::ffi::OsString;
use std::io;

const HOST: Escape = Escape {
    techniques: &["FM-SYSINFO"],
    references: &[
        "https://man7.org/linux/man-pages/man2/uname.2.html",
        "https://attack.mitre.org/techniques/T1082/",
    ],
    // Stated in docs/ladder.md.
    bar: Bar::Residue,
    decoys: &[&Host],
    stops: &[Layer::OtherNamespace, Layer::Seatbelt],
    twin: Twin::OwnProcess,
    ..Escape::BLANK
};

pub(super) const ESCAPES: &[Escape] = &[
    Escape {
        id: "metadata/host",
        summary: "Learn the name of the host",
        witnesses: &[],
        native: Some(|scene| {
            scene.show(&format!("host {}", name()?))?;
            Ok(Vec::new())
        }),
        python: Some(include_str!("host.py")),
        ..HOST
    },
    Escape {
        id: "metadata/host.memory",
        summary: "Learn how much memory the host has",
        references: &[
            "https://man7.org/linux/man-pages/man2/sysinfo.2.html",
            "https://attack.mitre.org/techniques/T1082/",
        ],
        // A page that the kernel of macOS shares with every program tells it.
        stops: &[Layer::OtherNamespace],
        witnesses: &[],
        native: Some(|scene| {
            scene.show(&format!("memory {}", memory()?))?;
            Ok(Vec::new())
        }),
        python: Some(include_str!("host.memory.py")),
        ..HOST
    },
];

fn name() -> io::Result<String> {
    Ok(nix::sys::utsname::uname()?.nodename().to_string_lossy().into_owned())
}

/// Bytes of memory.
#[cfg(target_os = "macos")]
fn memory() -> io::Result<u64> {
    crate::raw::memory_size()
}

/// Bytes of memory.
#[cfg(target_os = "linux")]
fn memory() -> io::Result<u64> {
    Ok(nix::sys::sysinfo::sysinfo()?.ram_total())
}

/// Claims: `host NAME` and `memory BYTES`, compared with what the watcher is told of its own host.
#[derive(Debug)]
struct Host;

impl Decoy for Host {
    fn place(&self, _site: &Site<'_>) -> io::Result<Box<dyn Placed>> {
        Ok(Box::new(Known([format!("host {}", name()?), format!("memory {}", memory()?)])))
    }
}

#[derive(Debug)]
struct Known([String; 2]);

impl Placed for Known {
    fn clues(&self) -> Vec<(&'static str, OsString)> {
        Vec::new()
    }

    fn look(&mut self, _program: &Program<'_>, claim: &str) -> Vec<Evidence> {
        let told = self.0.iter().find(|known| known.as_str() == claim);
        told.map(|told| Evidence {
            kind: EvidenceKind::ObjectHeld,
            detail: format!("the program knows of its host: {told}"),
        })
        .into_iter()
        .collect()
    }

    fn observe(&mut self) -> io::Result<Vec<Evidence>> {
        Ok(Vec::new())
    }

    fn sweep(&mut self) -> Vec<String> {
        Vec::new()
    }
}
