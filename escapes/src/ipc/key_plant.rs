//! Change the user's keyring: what is there outlives the program and reaches every other session.

use super::keyring::{self, FreeDescription, Key, Operation, keyctl};
use harness::escape::{Escape, Layer};
use harness::scene::Scene;
use harness::twin::Twin;
use std::io;

const PLANT: Escape = Escape {
    techniques: &["IP-KEYPLANT"],
    references: &[
        "https://man7.org/linux/man-pages/man2/add_key.2.html",
        "https://github.com/flatpak/flatpak/pull/299",
    ],
    decoys: &[&Key],
    stops: &[Layer::Seccomp],
    twin: Twin::OwnProcess,
    ..Escape::BLANK
};

pub(super) const ESCAPES: &[Escape] = &[
    Escape {
        id: "ipc/key-plant",
        summary: "Leave a key in the user keyring",
        decoys: &[&FreeDescription],
        // A user namespace has user keyrings of its own (since Linux 5.3).
        stops: &[Layer::Seccomp, Layer::OtherNamespace],
        witnesses: &["seccomp/add_key"],
        native: Some(|scene| {
            keyring::add(&keyring::description(scene.nonce())?, scene.nonce().as_bytes())?;
            Ok(Vec::new())
        }),
        ..PLANT
    },
    Escape {
        id: "ipc/key-plant.update",
        summary: "Overwrite a key of the user keyring",
        witnesses: &["seccomp/keyctl"],
        native: Some(|scene| {
            let payload = scene.nonce().as_bytes();
            let (address, length) = (payload.as_ptr() as usize, payload.len());
            on_key(scene, Operation::Update, [address, length])
        }),
        ..PLANT
    },
    Escape {
        id: "ipc/key-plant.revoke",
        summary: "Revoke a key of the user keyring",
        witnesses: &["seccomp/keyctl"],
        native: Some(|scene| on_key(scene, Operation::Revoke, [0, 0])),
        ..PLANT
    },
    Escape {
        id: "ipc/key-plant.unlink",
        summary: "Remove a key from the user keyring",
        stops: &[Layer::Seccomp, Layer::MountNamespace, Layer::OtherNamespace],
        witnesses: &["seccomp/keyctl"],
        native: Some(|scene| on_key(scene, Operation::Unlink, [keyring::USER as usize, 0])),
        ..PLANT
    },
];

fn on_key(scene: &Scene, operation: Operation, [second, third]: [usize; 2]) -> io::Result<Vec<u8>> {
    let serial: i64 = scene.number("key-serial")?;
    keyctl(operation, [serial as usize, second, third, 0])?;
    Ok(Vec::new())
}
