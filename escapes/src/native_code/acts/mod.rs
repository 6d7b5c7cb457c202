//! What machine code does once it runs: acts that know no carrier. A carrier is a way to get at a
//! system call that no hook and no library stands before; every carrier can do every act.

#[cfg(target_os = "linux")]
mod linux;
#[cfg(any(target_os = "macos", test))]
pub(crate) mod mach_o;
#[cfg(any(target_os = "macos", test))]
pub(crate) mod machine;
#[cfg(target_os = "macos")]
mod macos;
#[cfg(test)]
mod tests;

#[cfg(target_os = "linux")]
use linux as system;
#[cfg(target_os = "macos")]
use macos as system;
#[cfg(target_os = "macos")]
pub(crate) use system::HERE;
pub(crate) use system::assemble;

use harness::scene::Scene;
use std::ffi::CString;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::sync::atomic::{AtomicI64, Ordering};

/// Makes the system call of this number with these arguments.
pub(crate) type Carrier = fn(&Scene, i64, [usize; 6]) -> io::Result<i64>;

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
    let length = call(scene, system::READ, [file, place, room, 0, 0, 0])?;
    loot.truncate(usize::try_from(length).unwrap_or_default());
    Ok(loot)
}

/// Writes into the file outside that anybody may write.
pub(crate) fn write(scene: &Scene, call: Carrier) -> io::Result<Vec<u8>> {
    let file = open(scene, call, "writable", libc::O_WRONLY)?;
    let text = b"Machine code was here.\n";
    call(scene, system::WRITE, [file, text.as_ptr() as usize, text.len(), 0, 0, 0])?;
    Ok(Vec::new())
}

/// Opens the file of a clue.
fn open(scene: &Scene, call: Carrier, clue: &str, flags: i32) -> io::Result<usize> {
    let path = CString::new(scene.clue(clue)?.as_bytes())?;
    let directory = libc::AT_FDCWD as usize;
    let arguments = [directory, path.as_ptr() as usize, flags as usize, 0, 0, 0];
    Ok(call(scene, system::OPENAT, arguments)? as usize)
}

/// Connects to the TCP listener.
pub(crate) fn connect(scene: &Scene, call: Carrier) -> io::Result<Vec<u8>> {
    let (family, kind) = (libc::AF_INET as usize, libc::SOCK_STREAM as usize);
    let socket = call(scene, system::SOCKET, [family, kind, 0, 0, 0, 0])? as usize;
    let address = loopback(scene.number("tcp4")?);
    let arguments = [socket, address.as_ptr() as usize, address.len(), 0, 0, 0];
    call(scene, system::CONNECT, arguments)?;
    Ok(Vec::new())
}

/// `struct sockaddr_in` (ip(7)) of a port on the loopback address.
pub(crate) fn loopback(port: u16) -> [u8; 16] {
    let mut address = [0; 16];
    let [first, second] = system::INTERNET;
    let [high, low] = port.to_be_bytes();
    for (byte, value) in address.iter_mut().zip([first, second, high, low, 127, 0, 0, 1]) {
        *byte = value;
    }
    address
}

/// Starts a process, which lives until it was seen.
pub(crate) fn spawn(scene: &Scene, call: Carrier) -> io::Result<Vec<u8>> {
    system::start(scene, call)
}
