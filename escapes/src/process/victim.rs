//! How the escapes of this family name the victim.

use harness::scene::Scene;
use rustix::process::Pid;
#[cfg(target_os = "linux")]
use rustix::process::{PidfdFlags, pidfd_open};
use std::io;
#[cfg(target_os = "linux")]
use std::os::fd::OwnedFd;

/// Its pid as the libraries want it.
pub(super) fn id(scene: &Scene) -> io::Result<Pid> {
    Pid::from_raw(scene.number("victim")?).ok_or_else(|| io::ErrorKind::InvalidData.into())
}

/// Its pid as an argument of a raw system call.
#[cfg(target_os = "linux")]
pub(super) fn number(scene: &Scene) -> io::Result<usize> {
    scene.number("victim")
}

/// A descriptor of it.
#[cfg(target_os = "linux")]
pub(super) fn descriptor(scene: &Scene) -> io::Result<OwnedFd> {
    Ok(pidfd_open(id(scene)?, PidfdFlags::empty())?)
}

/// Where the token lies in its memory, and how long it is.
pub(super) fn token(scene: &Scene) -> io::Result<(usize, usize)> {
    let address = usize::from_str_radix(scene.text("victim-address")?, 16)
        .map_err(|_error| io::ErrorKind::InvalidData)?;
    Ok((address, scene.number("victim-length")?))
}

/// A place behind the token that the victim watches too.
pub(super) fn beside_token(scene: &Scene) -> io::Result<usize> {
    Ok(token(scene)?.0 + 1024)
}
