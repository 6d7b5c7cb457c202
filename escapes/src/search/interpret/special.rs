//! What is not one plain call: attached memory, rings, pairs of sockets.

use super::super::calls::{Argument, Kind, Special};
use super::super::program::Operation;
use super::super::words::Word;
use super::{Machine, chosen, errno};
use crate::raw;
use crate::ring::Ring;
use std::ffi::CString;
use std::io;
use std::os::fd::AsRawFd;
use std::os::unix::ffi::OsStrExt;

/// How much of a segment is looked at.
const SEGMENT: usize = 64;

pub(super) fn perform(
    machine: &mut Machine<'_>,
    special: Special,
    operation: &Operation,
) -> io::Result<()> {
    match special {
        Special::Attach => machine.scene.emit(&attach(machine)?.read()),
        Special::AttachWrite => {
            attach(machine)?.write(b"found");
            Ok(())
        }
        Special::Ring => ring(machine, operation),
        Special::Pair => pair(machine, operation),
        Special::Environment => machine.scene.emit(&raw::initial_strings()?),
        Special::Close => close(machine, operation),
    }
}

fn attach(machine: &Machine<'_>) -> io::Result<raw::Segment> {
    let identifier =
        machine.numbers.get(&Kind::Memory).copied().ok_or_else(|| errno(libc::ENOENT))?;
    raw::Segment::attach(identifier as i32, SEGMENT)
}

fn ring(machine: &Machine<'_>, operation: &Operation) -> io::Result<()> {
    let Some(Word::Place { object, spelling }) = operation.words.first().copied() else {
        return Err(io::ErrorKind::InvalidData.into());
    };
    let path = CString::new(machine.spell(object, spelling)?.as_os_str().as_bytes())?;
    let mut ring = Ring::new()?;
    let file = ring.open(&path, libc::O_RDONLY)?;
    machine.scene.emit(&ring.read(&file, 4096)?)
}

/// The first of the two is kept, and the other one open as well: a pair with one end is none.
fn pair(machine: &mut Machine<'_>, operation: &Operation) -> io::Result<()> {
    let kind = chosen(operation).ok_or(io::ErrorKind::InvalidData)?;
    let mut ends = [0_i32; 2];
    let place = ends.as_mut_ptr() as usize;
    raw::call(libc::SYS_socketpair, [libc::AF_UNIX as usize, kind as usize, 0, place, 0, 0])?;
    let [first, second] = ends.map(raw::adopt);
    machine.made.extend([second, first]);
    Ok(())
}

/// Closes what the program made, never what it was given.
fn close(machine: &mut Machine<'_>, operation: &Operation) -> io::Result<()> {
    let named = operation.arguments().find_map(|(argument, word)| match (argument, word) {
        (Argument::Descriptor, Word::Name(name)) => Some(name),
        _other => None,
    });
    let number = machine.descriptor(named.unwrap_or_default())?;
    let before = machine.made.len();
    machine.made.retain(|made| made.as_raw_fd() != number);
    if machine.made.len() == before { Err(errno(libc::EBADF)) } else { Ok(()) }
}
