//! What machine code does once it runs: acts that know no carrier. A carrier is a way to get at a
//! system call that no hook and no library stands before; every carrier can do every act.

use crate::exec::marker;
use harness::scene::Scene;
use std::ffi::CString;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::sync::atomic::{AtomicI64, Ordering};

/// Makes the system call of this number with these arguments.
pub(crate) type Carrier = fn(&Scene, i64, [usize; 6]) -> io::Result<i64>;

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

/// What the kernel's raw answer means.
pub(crate) fn answer(stored: &AtomicI64) -> io::Result<i64> {
    let raw = stored.load(Ordering::SeqCst);
    match i32::try_from(-raw) {
        Ok(errno @ 1..=4095) => Err(io::Error::from_raw_os_error(errno)),
        Ok(_) | Err(_) => Ok(raw),
    }
}

/// Reads the secret.
pub(crate) fn read(scene: &Scene, call: Carrier) -> io::Result<Vec<u8>> {
    let file = open(scene, call, "secret", libc::O_RDONLY)?;
    let mut loot = vec![0_u8; 4096];
    let (place, room) = (loot.as_mut_ptr() as usize, loot.len());
    let length = call(scene, libc::SYS_read, [file, place, room, 0, 0, 0])?;
    loot.truncate(usize::try_from(length).unwrap_or_default());
    Ok(loot)
}

/// Writes into the file outside that anybody may write.
pub(crate) fn write(scene: &Scene, call: Carrier) -> io::Result<Vec<u8>> {
    let file = open(scene, call, "writable", libc::O_WRONLY)?;
    let text = b"Machine code was here.\n";
    call(scene, libc::SYS_write, [file, text.as_ptr() as usize, text.len(), 0, 0, 0])?;
    Ok(Vec::new())
}

/// Opens the file of a clue.
fn open(scene: &Scene, call: Carrier, clue: &str, flags: i32) -> io::Result<usize> {
    let path = CString::new(scene.clue(clue)?.as_bytes())?;
    let directory = libc::AT_FDCWD as usize;
    let arguments = [directory, path.as_ptr() as usize, flags as usize, 0, 0, 0];
    Ok(call(scene, libc::SYS_openat, arguments)? as usize)
}

/// Connects to the TCP listener.
pub(crate) fn connect(scene: &Scene, call: Carrier) -> io::Result<Vec<u8>> {
    let (family, kind) = (libc::AF_INET as usize, libc::SOCK_STREAM as usize);
    let socket = call(scene, libc::SYS_socket, [family, kind, 0, 0, 0, 0])? as usize;
    let address = loopback(scene.number("tcp4")?);
    let arguments = [socket, address.as_ptr() as usize, address.len(), 0, 0, 0];
    call(scene, libc::SYS_connect, arguments)?;
    Ok(Vec::new())
}

/// `struct sockaddr_in` (ip(7)) of a port on the loopback address.
pub(crate) fn loopback(port: u16) -> [u8; 16] {
    let mut address = [0; 16];
    let [family, ..] = libc::AF_INET.to_le_bytes();
    let [high, low] = port.to_be_bytes();
    for (byte, value) in address.iter_mut().zip([family, 0, high, low, 127, 0, 0, 1]) {
        *byte = value;
    }
    address
}

/// Starts a process, which lives until it was seen.
pub(crate) fn spawn(scene: &Scene, call: Carrier) -> io::Result<Vec<u8>> {
    let signal = libc::SIGCHLD as usize;
    marker::second(scene, || Ok(call(scene, libc::SYS_clone, [signal, 0, 0, 0, 0, 0])? as i32))
}
