//! Read a key of the user's keyring.

use super::keyring::{self, Key};
use harness::escape::{Escape, Layer};
use harness::twin::Twin;

const READ: Escape = Escape {
    techniques: &["IP-KEYREAD"],
    references: &[
        "https://man7.org/linux/man-pages/man2/keyctl.2.html",
        "https://github.com/flatpak/flatpak/pull/299",
        "https://github.com/moby/moby/pull/36368",
    ],
    decoys: &[&Key],
    // A user namespace has user keyrings of its own (since Linux 5.3).
    stops: &[Layer::Seccomp, Layer::OtherNamespace],
    twin: Twin::OwnProcess,
    ..Escape::BLANK
};

pub(super) const ESCAPES: &[Escape] = &[
    Escape {
        id: "ipc/key-read",
        summary: "Find a key of the user keyring by its description and read it",
        stops: &[Layer::Seccomp, Layer::MountNamespace, Layer::OtherNamespace],
        witnesses: &["seccomp/keyctl"],
        native: Some(|scene| {
            keyring::read(keyring::search(&keyring::description(scene.nonce())?)?)
        }),
        ..READ
    },
    Escape {
        id: "ipc/key-read.request",
        summary: "Request a key from whatever keyring has it and read it",
        references: &["https://man7.org/linux/man-pages/man2/request_key.2.html"],
        witnesses: &["seccomp/keyctl", "seccomp/request_key"],
        stops: &[Layer::Seccomp, Layer::MountNamespace, Layer::OtherNamespace],
        native: Some(|scene| {
            keyring::read(keyring::request(&keyring::description(scene.nonce())?)?)
        }),
        ..READ
    },
    Escape {
        id: "ipc/key-read.serial",
        summary: "Read a key by its serial number alone",
        stops: &[Layer::Seccomp],
        witnesses: &["seccomp/keyctl"],
        native: Some(|scene| keyring::read(scene.number("key-serial")?)),
        ..READ
    },
    Escape {
        id: "ipc/key-read.listing",
        summary: "List the user keyring and read every key of it",
        witnesses: &["seccomp/keyctl"],
        native: Some(|_scene| {
            let members = keyring::read(keyring::USER)?;
            let serials = members.as_chunks().0.iter().map(|serial| i32::from_ne_bytes(*serial));
            Ok(serials
                .flat_map(|serial| keyring::read(serial.into()).unwrap_or_default())
                .collect())
        }),
        ..READ
    },
];
