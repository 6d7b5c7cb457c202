//! Static images of a few instructions: they need no loader, no library and no C runtime, so they show
//! whether a sandbox takes for granted that a program has them.

use std::fs::OpenOptions;
use std::io::{self, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

/// What it writes to standard output.
pub(super) const WORDS: &str = "static\n";

/// The exit code that it ends with.
pub(super) const CODE: i32 = 42;

/// Where the file is mapped.
const BASE: u64 = 0x40_0000;
/// `Elf64_Ehdr` and one `Elf64_Phdr`.
const HEADERS: u64 = 64 + 56;

/// Writes the image that speaks as an executable file.
pub(super) fn write(path: &Path) -> io::Result<()> {
    write_code(path, &words())
}

/// Writes an image of this code as an executable file.
pub(super) fn write_code(path: &Path, code: &[u8]) -> io::Result<()> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true).mode(0o755).open(path)?.write_all(&image(code))
}

/// `write(1, WORDS)`, `exit_group(42)`; x86-64.
fn words() -> Vec<u8> {
    let mut code = vec![0xbf, 1, 0, 0, 0]; // mov edi, 1
    code.extend([0x48, 0x8d, 0x35, 24, 0, 0, 0]); // lea rsi, [rip + 24]: the words, behind the code
    code.extend([0xba, WORDS.len() as u8, 0, 0, 0]); // mov edx, length
    code.extend([0xb8, 1, 0, 0, 0]); // mov eax, SYS_write
    code.extend([0x0f, 0x05]); // syscall
    code.extend([0xbf, CODE as u8, 0, 0, 0]); // mov edi, 42
    code.extend([0xb8, 231, 0, 0, 0]); // mov eax, SYS_exit_group
    code.extend([0x0f, 0x05]); // syscall
    code.extend(WORDS.as_bytes());
    code
}

/// A file of `elf(5)` that is all one segment and begins with the code.
fn image(code: &[u8]) -> Vec<u8> {
    let size = HEADERS + code.len() as u64;
    let mut image = b"\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0".to_vec(); // 64 bits, little-endian
    let halves = |image: &mut Vec<u8>, values: &[u16]| {
        image.extend(values.iter().flat_map(|value| value.to_le_bytes()));
    };
    let words = |image: &mut Vec<u8>, values: &[u64]| {
        image.extend(values.iter().flat_map(|value| value.to_le_bytes()));
    };
    halves(&mut image, &[2, 62, 1, 0]); // ET_EXEC, EM_X86_64, version 1
    words(&mut image, &[BASE + HEADERS, 64, 0]); // entry, program headers, no section headers
    halves(&mut image, &[0, 0, 64, 56, 1, 0, 0, 0]); // flags, sizes, one program header
    halves(&mut image, &[1, 0, 5, 0]); // PT_LOAD, readable and executable
    words(&mut image, &[0, BASE, BASE, size, size, 0x1000]);
    image.extend(code);
    image
}
