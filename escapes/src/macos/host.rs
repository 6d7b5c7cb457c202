//! Learn which host this is by calls that open nothing: the identity of its hardware, and what is mounted on it,
//! which tells of disks, images and other users.

use crate::raw_macos::host::{file_systems, hardware};
use fixtures::decoy::{Decoy, Placed, Site};
use fixtures::watch::looking::{Looking, Question};
use harness::escape::{Escape, Layer};
use harness::twin::Twin;
use std::io;

const HOST: Escape = Escape {
    decoys: &[&Host],
    stops: &[Layer::Seatbelt],
    witnesses: &["seatbelt/syscall-unix"],
    twin: Twin::OwnProcess,
    ..Escape::BLANK
};

pub(super) const ESCAPES: &[Escape] = &[
    Escape {
        id: "macos/host",
        summary: "Learn the identity of the host's hardware",
        techniques: &["FM-SYSINFO"],
        references: &["https://attack.mitre.org/techniques/T1082/", "CWE-497"],
        native: Some(|scene| scene.show(&hardware_claim()?).map(|()| Vec::new())),
        ..HOST
    },
    Escape {
        id: "macos/host.mounts",
        summary: "List what is mounted, by a call that opens no file",
        techniques: &["FM-STATFS"],
        references: &["https://attack.mitre.org/techniques/T1082/", "CWE-497"],
        native: Some(|scene| scene.show(&mounts_claim()?).map(|()| Vec::new())),
        ..HOST
    },
];

fn hardware_claim() -> io::Result<String> {
    let digits = hardware()?.map(|byte| format!("{byte:02x}")).concat();
    Ok(format!("hardware {digits}"))
}

/// The places in one word, so that it is a claim, without what a mount of a moment changes: the first four.
fn mounts_claim() -> io::Result<String> {
    let places: Vec<String> = file_systems()?.into_iter().take(4).collect();
    Ok(format!("mounts {}", places.join(":").replace(char::is_whitespace, "_")))
}

/// Claims: `hardware DIGITS` and `mounts PLACES`, compared with what the watcher is told of its own host.
#[derive(Debug)]
struct Host;

impl Decoy for Host {
    fn place(&self, _site: &Site<'_>) -> io::Result<Box<dyn Placed>> {
        Ok(Box::new(Looking::new(Known([hardware_claim()?, mounts_claim()?]))))
    }
}

#[derive(Debug)]
struct Known([String; 2]);

impl Question for Known {
    fn look(&mut self, _nonce: &str, claim: &str) -> io::Result<Option<String>> {
        let told = self.0.iter().find(|known| known.as_str() == claim);
        Ok(told.map(|told| format!("the program knows of its host: {told}")))
    }
}
