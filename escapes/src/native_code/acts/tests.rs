//! The code and the library of macOS are data: they are read back here, and both languages build the same.

use super::mach_o::{CODE, SIGNATURE, TEXT, library};
use super::machine::Machine;
use object::macho::{self, MachHeader64};
use object::read::macho::{MachHeader, Section, Segment};
use object::{Endianness, Object, ObjectSection};
use sha2::{Digest, Sha256};
use std::process::Command;

const MACHINES: [Machine; 2] = [Machine::Arm64, Machine::X86_64];
const ARGUMENTS: [usize; 6] = [usize::MAX - 1, 0x1122_3344_5566_7788, 0, 3, 1 << 63, 0xffff_0000];
const ADDRESS: usize = 0x99aa_bbcc_ddee;

fn code(machine: Machine) -> Vec<u8> {
    machine.call(463, ARGUMENTS, ADDRESS)
}

/// What the Python form builds for a machine: code, and the library of that code.
fn of_python(machine: Machine) -> [Vec<u8>; 2] {
    let text =
        concat!(include_str!("memory.py"), include_str!("macos.py"), include_str!("mach_o.py"));
    let (function, kind) = match machine {
        Machine::Arm64 => ("arm64", "0x100000C, 0"),
        Machine::X86_64 => ("x86_64", "0x1000007, 3"),
    };
    let arguments = ARGUMENTS.map(|argument| argument.cast_signed().to_string()).join(", ");
    let script = format!(
        "{text}\ncode = {function}(463, ({arguments}), {ADDRESS})\n\
         print(code.hex())\nprint(mach_o(code, {kind}).hex())"
    );
    #[expect(
        clippy::disallowed_methods,
        reason = "an interpreter says what the Python form builds"
    )]
    let output = Command::new("python3").args(["-I", "-S", "-c", &script]).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).unwrap();
    let bytes = |line: &str| {
        let digits = line.as_bytes().chunks(2).map(|digits| std::str::from_utf8(digits).unwrap());
        digits.map(|digits| u8::from_str_radix(digits, 16).unwrap()).collect()
    };
    let mut lines = text.lines().map(bytes);
    [lines.next().unwrap(), lines.next().unwrap()]
}

#[test]
fn both_languages_build_the_same_code_and_the_same_library() {
    let built = MACHINES.map(|machine| [code(machine), library(machine, &code(machine))]);
    assert_ne!(built[0], built[1], "the control: machines differ");
    assert_eq!(built, MACHINES.map(of_python));
}

#[test]
fn the_library_is_one_that_others_read_and_its_initialiser_is_the_code() {
    for machine in MACHINES {
        let code = code(machine);
        let file = library(machine, &code);
        let read = object::read::macho::MachOFile64::<Endianness>::parse(&*file).unwrap();
        let architecture = match machine {
            Machine::Arm64 => object::Architecture::Aarch64,
            Machine::X86_64 => object::Architecture::X86_64,
        };
        assert_eq!((read.kind(), read.architecture()), (object::ObjectKind::Dynamic, architecture));
        let text = read.section_by_name("__text").unwrap();
        assert_eq!((text.address(), text.data().unwrap()), (CODE as u64, &*code));
        let first = read.section_by_name("__init_offsets").unwrap();
        assert_eq!(first.data().unwrap(), (CODE as u32).to_le_bytes());
        let raw = first.macho_section();
        assert_eq!(
            raw.flags(Endianness::Little) & macho::SECTION_TYPE,
            0x16,
            "S_INIT_FUNC_OFFSETS"
        );
    }
}

#[test]
fn the_segments_cover_the_file_and_only_text_is_executable() {
    let file = library(Machine::Arm64, &code(Machine::Arm64));
    let header = MachHeader64::<Endianness>::parse(&*file, 0).unwrap();
    let endian = header.endian().unwrap();
    let mut commands = header.load_commands(endian, &*file, 0).unwrap();
    let (mut segments, mut signature) = (Vec::new(), None);
    while let Some(command) = commands.next().unwrap() {
        if let Some((segment, _)) = command.segment_64().unwrap() {
            let (offset, size) = segment.file_range(endian);
            assert_eq!(segment.vmaddr(endian), offset);
            segments.push((offset, size, segment.initprot(endian)));
        } else if command.cmd() == macho::LC_CODE_SIGNATURE {
            let data: &macho::LinkeditDataCommand<Endianness> = command.data().unwrap();
            signature = Some((data.dataoff.get(endian), data.datasize.get(endian)));
        }
    }
    let rest = file.len() - TEXT;
    let executable = macho::VM_PROT_READ | macho::VM_PROT_EXECUTE;
    let wanted = [(0, TEXT as u64, executable), (TEXT as u64, rest as u64, macho::VM_PROT_READ)];
    assert_eq!(segments, wanted);
    assert_eq!(signature, Some((SIGNATURE as u32, (file.len() - SIGNATURE) as u32)));
}

/// A number of the signature, which is written from its highest byte.
fn number(signature: &[u8], at: usize) -> usize {
    u32::from_be_bytes(signature[at..at + 4].try_into().unwrap()) as usize
}

/// Whether a file bears a directory of its digests, read as `struct __CodeDirectory` of kern/cs_blobs.h.
fn is_signed(file: &[u8]) -> bool {
    let blob = &file[SIGNATURE..];
    let (magic, length, blobs) = (number(blob, 0), number(blob, 4), number(blob, 8));
    assert_eq!((magic, length, blobs), (0xfade_0cc0, blob.len(), 1));
    let directory = &blob[number(blob, 16)..];
    assert_eq!((number(directory, 0), number(directory, 4)), (0xfade_0c02, directory.len()));
    let (adhoc, name) = (number(directory, 12) & 2, number(directory, 20));
    assert_eq!((adhoc, &directory[name..name + 8]), (2, &b"carried\0"[..]));
    let (digests, count, limit) =
        (number(directory, 16), number(directory, 28), number(directory, 32));
    assert_eq!((limit, &directory[36..40]), (SIGNATURE, &[32, 2, 0, 12][..]));
    let pages = file[..limit].chunks(1 << directory[39]);
    assert_eq!(pages.len(), count);
    assert_eq!(digests + 32 * count, directory.len());
    let stored = directory[digests..].chunks(32);
    pages.zip(stored).all(|(page, stored)| *Sha256::digest(page) == *stored)
}

#[test]
fn every_page_before_the_signature_has_its_digest_in_it() {
    for machine in MACHINES {
        let file = library(machine, &code(machine));
        assert!(is_signed(&file));
        for at in [0, CODE, SIGNATURE - 1] {
            let mut changed = file.clone();
            changed[at] ^= 1;
            assert!(!is_signed(&changed), "a changed byte at {at}");
        }
    }
}
