//! How macOS is asked: numbers of calls (`bsd/kern/syscalls.master` of XNU), and the code of one.

use super::Carrier;
use super::machine::Machine;
use crate::exec::marker;
use harness::scene::Scene;
use std::io;
use std::sync::atomic::{AtomicI32, AtomicI64, Ordering};

pub(super) const READ: i64 = 3;
pub(super) const WRITE: i64 = 4;
pub(super) const OPENAT: i64 = 463;
pub(super) const SOCKET: i64 = 97;
pub(super) const CONNECT: i64 = 98;
/// The processor for which this is compiled.
pub(crate) const HERE: Machine =
    if cfg!(target_arch = "aarch64") { Machine::Arm64 } else { Machine::X86_64 };
const POSIX_SPAWN: i64 = 244;
/// How a `struct sockaddr_in` begins: its length, and the family.
pub(super) const INTERNET: [u8; 2] = [16, libc::AF_INET as u8];

/// Code of one system call, which stores the kernel's answer at `answer`.
pub(crate) fn assemble(number: i64, arguments: [usize; 6], answer: &AtomicI64) -> Vec<u8> {
    HERE.call(number, arguments, answer.as_ptr() as usize)
}

/// Starts a process that lives until it was seen. After a bare fork the libraries of macOS do not work, as
/// the new process has none of the ports that they keep; so it is another program from its beginning.
pub(super) fn start(scene: &Scene, call: Carrier) -> io::Result<Vec<u8>> {
    let told = marker::shell(scene)?;
    let mut vector: Vec<usize> = told.iter().map(|word| word.as_ptr() as usize).collect();
    vector.push(0);
    let (child, environment) = (AtomicI32::new(0), [0_usize]);
    let (number, path) = (child.as_ptr() as usize, marker::SHELL.as_ptr() as usize);
    let (words, variables) = (vector.as_ptr() as usize, environment.as_ptr() as usize);
    call(scene, POSIX_SPAWN, [number, path, 0, words, variables, 0])?;
    marker::reap(child.load(Ordering::SeqCst))
}
