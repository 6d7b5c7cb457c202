//! Reads what an ELF file asks of the kernel and of its loader, without running it.
//!
//! The file may be hostile: every size is bounded before memory is taken for it, and every failure
//! is a value. The bounds on program headers and on the interpreter's name are the kernel's own
//! (`load_elf_phdrs` and `load_elf_binary` in fs/binfmt_elf.c); the format is elf(5).

use std::ffi::{OsStr, OsString};
use std::io;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

use object::Endianness;
use object::elf::{self, FileHeader32, FileHeader64, Ident, ProgramHeader64};
use object::read::elf::{Dyn, FileHeader, ProgramHeader};
use object::read::{ReadCache, ReadRef, StringTable};
use thiserror::Error;

use super::files;

/// What the machine that this was built for calls itself in an ELF header.
const MACHINE: u16 = if cfg!(target_arch = "x86_64") {
    elf::EM_X86_64
} else if cfg!(target_arch = "aarch64") {
    elf::EM_AARCH64
} else {
    elf::EM_NONE
};
const DATA: u8 = if cfg!(target_endian = "little") { elf::ELFDATA2LSB } else { elf::ELFDATA2MSB };

/// Bytes of program headers that the kernel accepts.
const HEADERS_LIMIT: u64 = 64 * 1024;
/// Bytes of the interpreter's name that the kernel accepts: `PATH_MAX`.
const INTERPRETER_LIMIT: u64 = 4096;
/// Bytes of the dynamic section. Real ones hold a few dozen entries of 16 bytes; the bound keeps a
/// hostile file from having thousands of libraries searched for.
const DYNAMIC_LIMIT: u64 = 64 * 1024;

type Header = FileHeader64<Endianness>;

/// How a program reaches its libraries.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Linkage {
    /// No interpreter, loaded where it was linked to.
    Static,
    /// No interpreter, loaded anywhere. A shared library looks the same.
    StaticPie,
    /// An interpreter (the loader) is loaded beside it and finds its libraries.
    Dynamic,
}

/// What an ELF file of this machine asks for.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(super) struct Elf {
    /// How it reaches its libraries.
    pub(super) linkage: Linkage,
    /// Whether other files can be linked against it: type `ET_DYN`, as libraries and loaders are
    /// (and position independent programs).
    pub(super) shared: bool,
    /// `PT_INTERP`: the loader, as the file writes it; absolute.
    pub(super) interpreter: Option<PathBuf>,
    /// `DT_NEEDED`: names of libraries, in the file's order.
    pub(super) needed: Vec<OsString>,
    /// `DT_RPATH`, split at colons, tokens such as `$ORIGIN` not expanded.
    pub(super) rpath: Vec<OsString>,
    /// `DT_RUNPATH`, likewise. When it is present the loader ignores `rpath`.
    pub(super) runpath: Option<Vec<OsString>>,
}

/// Why a file cannot be loaded as ELF.
#[derive(Debug, Error)]
pub enum ElfError {
    /// The file could not be opened or is not a regular one.
    #[error("{0}")]
    Open(#[from] io::Error),
    /// It does not begin like an ELF file.
    #[error("not an ELF file")]
    NotElf,
    /// It is for another word size, byte order or machine; the numbers are those of elf(5).
    #[error("made for another machine (class {class}, data {data}, machine {machine})")]
    Foreign {
        /// `EI_CLASS`: 1 for 32 bits, 2 for 64.
        class: u8,
        /// `EI_DATA`: 1 for little endian, 2 for big.
        data: u8,
        /// `e_machine`.
        machine: u16,
    },
    /// An object file or a core dump, by its `e_type`.
    #[error("neither a program nor a library (ELF type {0})")]
    NotLoadable(u16),
    /// The loader is named by a relative path: it would depend on the directory the program starts in.
    #[error("the path of its loader is relative")]
    RelativeLoader,
    /// A part lies outside the file or contradicts another.
    #[error("malformed ELF file: {0}")]
    Malformed(#[from] object::read::Error),
    /// A part is larger than the kernel accepts, or than any real file has it.
    #[error("malformed ELF file: {0} out of bounds")]
    OutOfBounds(&'static str),
}

impl Elf {
    /// Reads the headers of a file; not the file itself, which may be large.
    pub(super) fn open(path: &Path) -> Result<Self, ElfError> {
        let cache = ReadCache::new(files::open_regular(path)?);
        Self::parse(&cache)
    }

    /// Reads the headers of an ELF file in `data`.
    pub(super) fn parse<'data, R: ReadRef<'data>>(data: R) -> Result<Self, ElfError> {
        let header = header(data)?;
        let endian = header.endian()?;
        let size =
            u64::from(header.e_phnum(endian)) * size_of::<ProgramHeader64<Endianness>>() as u64;
        if size > HEADERS_LIMIT {
            return Err(ElfError::OutOfBounds("program headers"));
        }
        let segments = header.program_headers(endian, data)?;
        let shared = match header.e_type(endian) {
            elf::ET_EXEC => false,
            elf::ET_DYN => true,
            other => return Err(ElfError::NotLoadable(other)),
        };
        let interpreter = interpreter(segments, endian, data)?;
        let linkage = match (&interpreter, shared) {
            (Some(_), _) => Linkage::Dynamic,
            (None, true) => Linkage::StaticPie,
            (None, false) => Linkage::Static,
        };
        let mut elf =
            Self { linkage, shared, interpreter, needed: vec![], rpath: vec![], runpath: None };
        elf.read_dynamic(segments, endian, data)?;
        Ok(elf)
    }

    fn read_dynamic<'data, R: ReadRef<'data>>(
        &mut self,
        segments: &[ProgramHeader64<Endianness>],
        endian: Endianness,
        data: R,
    ) -> Result<(), ElfError> {
        let Some(segment) = segments.iter().find(|s| s.p_type(endian) == elf::PT_DYNAMIC) else {
            return Ok(());
        };
        if segment.p_filesz(endian) > DYNAMIC_LIMIT {
            return Err(ElfError::OutOfBounds("dynamic section"));
        }
        let entries = segment.dynamic(endian, data)?.unwrap_or_default();
        let entries = entries.split(|entry| entry.tag32(endian) == Some(elf::DT_NULL)).next();
        let entries = entries.unwrap_or_default();
        let table = entries.iter().find(|entry| entry.tag32(endian) == Some(elf::DT_STRTAB));
        let strings = match table {
            Some(entry) => string_table(segments, endian, data, entry.d_val(endian))?,
            None => StringTable::default(),
        };
        for entry in entries {
            let text = || {
                let text = entry.val32(endian).and_then(|offset| strings.get(offset).ok());
                text.ok_or(ElfError::OutOfBounds("string of the dynamic section"))
            };
            match entry.tag32(endian) {
                Some(elf::DT_NEEDED) => self.needed.push(OsStr::from_bytes(text()?).to_owned()),
                Some(elf::DT_RPATH) => self.rpath = split(text()?),
                Some(elf::DT_RUNPATH) => self.runpath = Some(split(text()?)),
                _ => {}
            }
        }
        Ok(())
    }
}

/// The header of a file that is ELF, and for this machine.
fn header<'data, R: ReadRef<'data>>(data: R) -> Result<&'data Header, ElfError> {
    // Up to the machine, both classes have the same layout.
    let start = data.read_at::<FileHeader32<Endianness>>(0).map_err(|()| ElfError::NotElf)?;
    let Ident { magic, class, data: order, .. } = start.e_ident;
    if magic != elf::ELFMAG {
        return Err(ElfError::NotElf);
    }
    let endian = if order == elf::ELFDATA2MSB { Endianness::Big } else { Endianness::Little };
    let machine = start.e_machine.get(endian);
    if class != elf::ELFCLASS64 || order != DATA || machine != MACHINE {
        return Err(ElfError::Foreign { class, data: order, machine });
    }
    Ok(Header::parse(data)?)
}

/// The name in the first `PT_INTERP`: the kernel looks at no other.
fn interpreter<'data, R: ReadRef<'data>>(
    segments: &[ProgramHeader64<Endianness>],
    endian: Endianness,
    data: R,
) -> Result<Option<PathBuf>, ElfError> {
    let Some(segment) = segments.iter().find(|s| s.p_type(endian) == elf::PT_INTERP) else {
        return Ok(None);
    };
    if segment.p_filesz(endian) > INTERPRETER_LIMIT {
        return Err(ElfError::OutOfBounds("interpreter"));
    }
    let name = segment.interpreter(endian, data)?.unwrap_or_default();
    let name = PathBuf::from(OsString::from_vec(name.to_vec()));
    if !name.is_absolute() {
        return Err(ElfError::RelativeLoader);
    }
    Ok(Some(name))
}

/// The dynamic strings. Their table is given by its address in memory: the segment that is loaded
/// there says where that is in the file.
fn string_table<'data, R: ReadRef<'data>>(
    segments: &[ProgramHeader64<Endianness>],
    endian: Endianness,
    data: R,
    address: u64,
) -> Result<StringTable<'data, R>, ElfError> {
    let outside = || ElfError::OutOfBounds("dynamic string table");
    for segment in segments.iter().filter(|s| s.p_type(endian) == elf::PT_LOAD) {
        let (offset, size) = segment.file_range(endian);
        let skipped =
            address.checked_sub(segment.p_vaddr(endian)).filter(|skipped| *skipped < size);
        if let Some(skipped) = skipped {
            let end = offset.checked_add(size).ok_or_else(outside)?;
            let end = end.min(data.len().map_err(|()| outside())?);
            return Ok(StringTable::new(data, offset + skipped, end));
        }
    }
    Err(outside())
}

fn split(list: &[u8]) -> Vec<OsString> {
    list.split(|byte| *byte == b':').map(|part| OsStr::from_bytes(part).to_owned()).collect()
}
