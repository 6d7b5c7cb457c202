//! How x86-64 Linux is asked: numbers of calls, and the code of one.

use super::Carrier;
use crate::exec::marker;
use harness::scene::Scene;
use std::io;
use std::sync::atomic::AtomicI64;

pub(super) const READ: i64 = libc::SYS_read;
pub(super) const WRITE: i64 = libc::SYS_write;
pub(super) const OPENAT: i64 = libc::SYS_openat;
pub(super) const SOCKET: i64 = libc::SYS_socket;
pub(super) const CONNECT: i64 = libc::SYS_connect;
/// What makes a process as `fork` does.
const FORK: [usize; 6] = [libc::SIGCHLD as usize, 0, 0, 0, 0, 0];
/// How a `struct sockaddr_in` begins: the family, of two bytes.
pub(super) const INTERNET: [u8; 2] = [libc::AF_INET as u8, 0];

/// x86-64 code of one system call: every argument is an immediate of its own, so it needs no data and
/// no relocation. It stores the kernel's raw answer at `answer` and returns 0.
pub(crate) fn assemble(number: i64, arguments: [usize; 6], answer: &AtomicI64) -> Vec<u8> {
    // mov rdi, rsi, rdx, r10, r8, r9 <- imm64: the order in which the kernel takes arguments.
    const MOVES: [[u8; 2]; 6] =
        [[0x48, 0xbf], [0x48, 0xbe], [0x48, 0xba], [0x49, 0xba], [0x49, 0xb8], [0x49, 0xb9]];
    let mut code = vec![0x48, 0xb8]; // mov rax, imm64
    code.extend(number.to_le_bytes());
    for (operation, argument) in MOVES.iter().zip(arguments) {
        code.extend(operation);
        code.extend(argument.to_le_bytes());
    }
    code.extend([0x0f, 0x05]); // syscall
    code.extend([0x48, 0xa3]); // mov [moffs64], rax
    code.extend((answer.as_ptr() as usize).to_le_bytes());
    code.extend([0x31, 0xc0, 0xc3]); // xor eax, eax; ret
    code
}

/// Starts a process that lives until it was seen.
pub(super) fn start(scene: &Scene, call: Carrier) -> io::Result<Vec<u8>> {
    marker::second(scene, || Ok(call(scene, libc::SYS_clone, FORK)? as i32))
}
