//! ELF files: real, foreign, cut short and mutilated.

use proptest::prelude::*;

use super::*;
use crate::linux::discover::elf::{Elf, Linkage};

fn parse(bytes: &[u8]) -> Result<Elf, ElfError> {
    Elf::parse(bytes)
}

/// The bytes of a small dynamic program.
fn sample() -> Vec<u8> {
    let folder = Folder::new();
    fs::read(folder.compile("program", HELLO, &["-pie"])).unwrap()
}

#[test]
fn linkage_interpreter_and_libraries_are_read_from_real_files() {
    let folder = Folder::new();
    let linkage =
        |name: &str, options: &[&str]| Elf::open(&folder.compile(name, HELLO, options)).unwrap();
    let elf = linkage("static", &["-static"]);
    assert_eq!((elf.linkage, elf.shared, elf.interpreter), (Linkage::Static, false, None));
    let elf = linkage("static-pie", &["-static-pie"]);
    assert_eq!((elf.linkage, elf.shared, elf.interpreter), (Linkage::StaticPie, true, None));
    let elf = linkage("fixed", &["-no-pie"]);
    assert_eq!((elf.linkage, elf.shared), (Linkage::Dynamic, false));
    let elf = linkage("pie", &["-pie", "-Wl,--enable-new-dtags,-rpath,/a:$ORIGIN/b"]);
    assert_eq!((elf.linkage, elf.shared), (Linkage::Dynamic, true));
    assert!(elf.interpreter.unwrap().is_file());
    assert!(elf.needed.contains(&OsString::from("libc.so.6")) || !elf.needed.is_empty());
    assert_eq!(elf.runpath, Some(vec!["/a".into(), "$ORIGIN/b".into()]));
    assert_eq!(elf.rpath, Vec::<OsString>::new());
    let elf = linkage("old", &["-Wl,--disable-new-dtags,-rpath,/a:$ORIGIN/b"]);
    assert_eq!((elf.rpath, elf.runpath), (vec!["/a".into(), "$ORIGIN/b".into()], None));
}

#[test]
fn a_file_and_its_bytes_read_alike() {
    let path = fs::canonicalize("/bin/true").unwrap();
    assert_eq!(Elf::open(&path).unwrap(), parse(&fs::read(&path).unwrap()).unwrap());
}

#[test]
fn another_machine_class_or_byte_order_is_foreign() {
    let sample = sample();
    let change = |offset: usize, value: u8| {
        let mut bytes = sample.clone();
        assert_ne!(bytes[offset], value);
        bytes[offset] = value;
        parse(&bytes)
    };
    assert!(parse(&sample).is_ok());
    // e_machine: EM_S390. EI_CLASS: 32 bits, as x32 and i386 have it. EI_DATA: big endian.
    assert!(matches!(change(18, 22), Err(ElfError::Foreign { machine: 22, .. })));
    assert!(matches!(change(4, 1), Err(ElfError::Foreign { class: 1, .. })));
    assert!(matches!(change(5, 2), Err(ElfError::Foreign { data: 2, .. })));
    // The loader's path, made relative.
    let loader =
        sample.windows(5).position(|bytes| bytes == b"/lib/" || bytes == b"/lib6").unwrap();
    assert!(matches!(change(loader, b'.'), Err(ElfError::RelativeLoader)));
    // e_type: a core dump.
    assert!(matches!(change(16, 4), Err(ElfError::NotLoadable(4))));
}

#[test]
fn every_truncation_is_an_error_or_leaves_the_headers_whole() {
    let sample = sample();
    let whole = parse(&sample).unwrap();
    for length in (0..sample.len()).step_by(7) {
        match parse(&sample[..length]) {
            Ok(elf) => assert_eq!(elf, whole),
            Err(error) => assert!(!error.to_string().is_empty()),
        }
    }
    assert!(matches!(parse(&sample[..3]), Err(ElfError::NotElf)));
    assert!(matches!(parse(&sample[..70]), Err(ElfError::Malformed(_))));
}

#[test]
fn a_file_with_absurd_sizes_is_refused_before_memory_is_taken() {
    // A sparse file of a terabyte, most of it claimed as one part.
    let folder = Folder::new();
    let sample = sample();
    let segment = |kind: u32| {
        (64..).step_by(56).find(|at| sample[*at..at + 4] == kind.to_le_bytes()).unwrap()
    };
    for (kind, part) in [(2, "dynamic section"), (3, "interpreter")] {
        let mut bytes = sample.clone();
        let file_size = segment(kind) + 32;
        bytes[file_size..file_size + 8].copy_from_slice(&(1u64 << 39).to_le_bytes());
        let path = folder.file("absurd", bytes, 0o755);
        fs::File::options().write(true).open(&path).unwrap().set_len(1 << 40).unwrap();
        let error = Elf::open(&path).unwrap_err();
        assert!(matches!(error, ElfError::OutOfBounds(named) if named == part), "{error}");
    }
}

#[test]
fn a_fifo_is_refused_without_waiting_for_a_writer() {
    let folder = Folder::new();
    let fifo = folder.path.join("fifo");
    nix::unistd::mkfifo(&fifo, nix::sys::stat::Mode::S_IRWXU).unwrap();
    assert!(matches!(Elf::open(&fifo), Err(ElfError::Open(_))));
}

proptest! {
    #[test]
    fn random_bytes_never_panic(bytes in proptest::collection::vec(any::<u8>(), 0..512)) {
        let mut headed = b"\x7fELF\x02\x01\x01".to_vec();
        headed.extend_from_slice(&bytes);
        prop_assert!(parse(&bytes).is_err());
        drop(parse(&headed));
    }
}

#[test]
fn mutilated_headers_never_panic() {
    let sample = sample();
    let interesting = sample.len().min(1024);
    let dynamic = parse(&sample).unwrap();
    let strategy = proptest::collection::vec((0..interesting, any::<u8>()), 1..8);
    let changed = std::cell::Cell::new(0);
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let result = runner.run(&strategy, |changes| {
        let mut bytes = sample.clone();
        for (offset, value) in changes {
            bytes[offset] = value;
        }
        if parse(&bytes).ok().as_ref() != Some(&dynamic) {
            changed.set(changed.get() + 1);
        }
        Ok(())
    });
    result.unwrap();
    assert!(changed.get() > 0, "no mutation reached a header that is read");
}
