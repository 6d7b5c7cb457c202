//! The smallest program that can be executed: static, without libraries, so that it starts where no
//! file of the system may be read. It stays until it was seen (the file `seen` appears in the
//! working directory), a second at most. Its name is its file's name.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

/// An ELF file of one segment, for this processor.
pub(crate) fn bytes() -> Vec<u8> {
    const BASE: u64 = 0x40_0000;
    const HEADERS: u64 = 64 + 56;
    let size = HEADERS + CODE.len() as u64;
    let mut file = Vec::new();
    // ELF header (elf(5)): 64-bit, little-endian, version 1, executable.
    file.extend(b"\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0");
    file.extend(2_u16.to_le_bytes());
    file.extend(MACHINE.to_le_bytes());
    file.extend(1_u32.to_le_bytes());
    file.extend((BASE + HEADERS).to_le_bytes());
    file.extend(64_u64.to_le_bytes());
    file.extend(0_u64.to_le_bytes());
    file.extend(0_u32.to_le_bytes());
    for half in [64_u16, 56, 1, 0, 0, 0] {
        file.extend(half.to_le_bytes());
    }
    // Program header: load everything, readable and executable.
    file.extend(1_u32.to_le_bytes());
    file.extend(5_u32.to_le_bytes());
    for word in [0, BASE, BASE, size, size, 0x1000] {
        file.extend(word.to_le_bytes());
    }
    file.extend(CODE);
    file
}

/// A new executable file without content.
pub(super) fn create(path: &Path) -> io::Result<File> {
    OpenOptions::new().write(true).create_new(true).mode(0o700).open(path)
}

/// Writes the program as a new executable file.
pub(super) fn write(path: &Path) -> io::Result<()> {
    create(path)?.write_all(&bytes())
}

/// `EM_X86_64`.
#[cfg(target_arch = "x86_64")]
const MACHINE: u16 = 62;

/// `for 1000 { if access("seen") == 0 { break } nanosleep(1 ms) } exit(0)`
#[cfg(target_arch = "x86_64")]
#[rustfmt::skip]
const CODE: &[u8] = &[
    0xbb, 0xe8, 0x03, 0x00, 0x00,             //       mov  ebx, 1000
    0xb8, 0x15, 0x00, 0x00, 0x00,             // next: mov  eax, 21 (access)
    0x48, 0x8d, 0x3d, 0x35, 0x00, 0x00, 0x00, //       lea  rdi, [seen]
    0x31, 0xf6,                               //       xor  esi, esi
    0x0f, 0x05,                               //       syscall
    0x85, 0xc0,                               //       test eax, eax
    0x74, 0x14,                               //       je   end
    0xb8, 0x23, 0x00, 0x00, 0x00,             //       mov  eax, 35 (nanosleep)
    0x48, 0x8d, 0x3d, 0x11, 0x00, 0x00, 0x00, //       lea  rdi, [moment]
    0x31, 0xf6,                               //       xor  esi, esi
    0x0f, 0x05,                               //       syscall
    0xff, 0xcb,                               //       dec  ebx
    0x75, 0xd8,                               //       jne  next
    0xb8, 0x3c, 0x00, 0x00, 0x00,             // end:  mov  eax, 60 (exit)
    0x31, 0xff,                               //       xor  edi, edi
    0x0f, 0x05,                               //       syscall
    0, 0, 0, 0, 0, 0, 0, 0, 0x40, 0x42, 0x0f, 0, 0, 0, 0, 0, // moment: 0 s, 1,000,000 ns
    b's', b'e', b'e', b'n', 0,                // seen
];

/// `EM_AARCH64`.
#[cfg(target_arch = "aarch64")]
const MACHINE: u16 = 183;

/// `for 1000 { if faccessat("seen") == 0 { break } nanosleep(1 ms) } exit(0)`
#[cfg(target_arch = "aarch64")]
#[rustfmt::skip]
const CODE: &[u8] = &[
    0x13, 0x7d, 0x80, 0x52, //       mov  w19, #1000
    0x60, 0x0c, 0x80, 0x92, // next: mov  x0, #-100 (AT_FDCWD)
    0x41, 0x02, 0x00, 0x10, //       adr  x1, seen
    0x02, 0x00, 0x80, 0xd2, //       mov  x2, #0
    0x08, 0x06, 0x80, 0xd2, //       mov  x8, #48 (faccessat)
    0x01, 0x00, 0x00, 0xd4, //       svc  #0
    0xe0, 0x00, 0x00, 0xb4, //       cbz  x0, end
    0x20, 0x01, 0x00, 0x10, //       adr  x0, moment
    0x01, 0x00, 0x80, 0xd2, //       mov  x1, #0
    0xa8, 0x0c, 0x80, 0xd2, //       mov  x8, #101 (nanosleep)
    0x01, 0x00, 0x00, 0xd4, //       svc  #0
    0x73, 0x06, 0x00, 0x71, //       subs w19, w19, #1
    0xa1, 0xfe, 0xff, 0x54, //       b.ne next
    0x00, 0x00, 0x80, 0xd2, // end:  mov  x0, #0
    0xa8, 0x0b, 0x80, 0xd2, //       mov  x8, #93 (exit)
    0x01, 0x00, 0x00, 0xd4, //       svc  #0
    0, 0, 0, 0, 0, 0, 0, 0, 0x40, 0x42, 0x0f, 0, 0, 0, 0, 0, // moment: 0 s, 1,000,000 ns
    b's', b'e', b'e', b'n', 0, // seen
];
