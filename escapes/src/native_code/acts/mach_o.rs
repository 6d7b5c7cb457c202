//! A library of macOS that a program writes itself: the smallest that the loader takes, with an
//! initialiser and a signature. The processors of Apple execute no page of a file that is not signed, but
//! whoever wrote it may sign it, without a key.
//!
//! It is built and not copied from the system: the system's libraries lie in the loader's cache and in no
//! files of their own, and a copy would do what theirs does, of which nobody outside sees anything.

use super::machine::Machine;
use sha2::{Digest, Sha256};

/// Where the code lies in the file.
pub(crate) const CODE: usize = 0x1000;
/// How much of the file is text: whole pages of any Mac. A few bytes that stand for a table of strings and
/// the signature follow.
pub(crate) const TEXT: usize = 0x4000;
/// Where the signature begins; it is the rest of the file.
pub(crate) const SIGNATURE: usize = 0x4010;

/// A page of the signature, `PAGE_SIZE_4K` of the tools that sign.
const PAGE: usize = 0x1000;
/// How the library calls itself.
const NAME: &[u8] = b"carried\0";

/// A library (mach-o/loader.h) whose initialiser is this code. It has no symbols, so none must be found.
/// The section of initialisers holds offsets, as the loader of macOS 12 and later takes them, for pointers
/// would have to be relocated.
pub(crate) fn library(machine: Machine, code: &[u8]) -> Vec<u8> {
    let commands = commands(code.len());
    // CPU_TYPE_ARM64, CPU_SUBTYPE_ARM64_ALL; CPU_TYPE_X86_64, CPU_SUBTYPE_X86_64_ALL.
    let [cpu, kind] = match machine {
        Machine::Arm64 => [0x0100_000c, 0],
        Machine::X86_64 => [0x0100_0007, 3],
    };
    let length: usize = commands.iter().map(Vec::len).sum();
    // MH_DYLIB; MH_NOUNDEFS, MH_DYLDLINK, MH_TWOLEVEL, MH_NO_REEXPORTED_DYLIBS.
    let head = [0xfeed_facf, cpu, kind, 6, commands.len() as u32, length as u32, 0x10_0085, 0];
    let mut file = words(&head);
    file.extend(commands.into_iter().flatten());
    file.resize(CODE - 4, 0);
    file.extend((CODE as u32).to_le_bytes());
    file.extend(code);
    file.resize(SIGNATURE, 0);
    let signature = signature(&file);
    file.extend(signature);
    file
}

/// The load commands of a library with this much code.
fn commands(code: usize) -> Vec<Vec<u8>> {
    let signed = signature(&[0; SIGNATURE]).len();
    let end = SIGNATURE - TEXT;
    // S_INIT_FUNC_OFFSETS; S_ATTR_PURE_INSTRUCTIONS with S_ATTR_SOME_INSTRUCTIONS.
    let sections = [
        section(b"__init_offsets", CODE - 4, 4, 0x16),
        section(b"__text", CODE, code, 0x8000_0400),
    ];
    vec![
        segment(b"__TEXT", 0, TEXT, 5, &sections),
        segment(b"__LINKEDIT", TEXT, end + signed, 1, &[]),
        command(0xd, &named(NAME, 8)),  // LC_ID_DYLIB
        command(0x8000_0022, &[0; 40]), // LC_DYLD_INFO_ONLY: nothing is bound
        command(0x2, &words(&[TEXT as u32, 0, TEXT as u32, end as u32])), // LC_SYMTAB
        command(0xb, &[0; 72]),         // LC_DYSYMTAB
        command(0x1b, &text(b"carried", 16)), // LC_UUID
        command(0x32, &words(&[1, 0xb_0000, 0xb_0000, 0])), // LC_BUILD_VERSION: macOS 11
        command(0xc, &named(b"/usr/lib/libSystem.B.dylib", 32)), // LC_LOAD_DYLIB
        command(0x1d, &words(&[SIGNATURE as u32, signed as u32])), // LC_CODE_SIGNATURE
    ]
}

fn command(number: u32, data: &[u8]) -> Vec<u8> {
    [words(&[number, 8 + data.len() as u32]), data.to_vec()].concat()
}

/// A segment (`struct segment_command_64`) that lies in memory as in the file.
fn segment(
    name: &[u8],
    offset: usize,
    length: usize,
    rights: u32,
    sections: &[Vec<u8>],
) -> Vec<u8> {
    let mut data = text(name, 16);
    for number in [offset, TEXT, offset, length] {
        data.extend((number as u64).to_le_bytes());
    }
    data.extend(words(&[rights, rights, sections.len() as u32, 0]));
    data.extend(sections.concat());
    command(0x19, &data)
}

/// A section (`struct section_64`) of the text.
fn section(name: &[u8], offset: usize, length: usize, flags: u32) -> Vec<u8> {
    let mut data = [text(name, 16), text(b"__TEXT", 16)].concat();
    for number in [offset, length] {
        data.extend((number as u64).to_le_bytes());
    }
    data.extend(words(&[offset as u32, 2, 0, 0, flags, 0, 0, 0]));
    data
}

/// A library and its versions (`struct dylib`).
fn named(name: &[u8], length: usize) -> Vec<u8> {
    [words(&[24, 2, 0x1_0000, 0x1_0000]), text(name, length)].concat()
}

fn text(text: &[u8], length: usize) -> Vec<u8> {
    let mut text = text.to_vec();
    text.resize(length, 0);
    text
}

fn words(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

/// A signature without a key (kern/cs_blobs.h of XNU): a directory of the digests of all pages of a file.
fn signature(file: &[u8]) -> Vec<u8> {
    /// The directory up to its text.
    const HEAD: usize = 88;
    let pages: Vec<_> = file.chunks(PAGE).map(Sha256::digest).collect();
    let digests = HEAD + NAME.len();
    let length = (digests + 32 * pages.len()) as u32;
    let big =
        |words: &[u32]| -> Vec<u8> { words.iter().flat_map(|word| word.to_be_bytes()).collect() };
    // CSMAGIC_EMBEDDED_SIGNATURE, with one blob, the directory.
    let mut signature = big(&[0xfade_0cc0, 20 + length, 1, 0, 20]);
    // CSMAGIC_CODEDIRECTORY, its length and version; CS_ADHOC with CS_LINKER_SIGNED.
    signature.extend(big(&[0xfade_0c02, length, 0x2_0400, 0x2_0002]));
    signature.extend(big(&[digests as u32, HEAD as u32, 0, pages.len() as u32, file.len() as u32]));
    // SHA-256, and pages of 2 to the 12th bytes.
    signature.extend([32, 2, 0, 12]);
    signature.extend(big(&[0; 4]));
    // Which part of the file is text, and that it is of no program.
    for number in [0, 0, TEXT as u64, 0] {
        signature.extend(number.to_be_bytes());
    }
    signature.extend(NAME);
    signature.extend(pages.concat());
    signature
}
