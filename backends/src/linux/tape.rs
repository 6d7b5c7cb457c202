//! Linux. A program that is made where it is needed: a static image of some ten instructions that makes
//! the system calls of a list, one after the other, and notes what each answers. It needs no loader, no
//! library and no file of the host, so a probe can execute it anywhere and a test can make thousands
//! of accesses in one program.

use std::fs::OpenOptions;
use std::io::{self, Seek, SeekFrom, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

/// Where the code is mapped.
const TEXT: u64 = 0x40_0000;
/// Where the list of calls is mapped. The code below names it.
const CALLS: u64 = 0x50_0000;
/// Where the data of the calls is mapped, behind the list.
const DATA: u64 = 0x60_0000;
/// `Elf64_Ehdr` and two `Elf64_Phdr`, elf(5).
const HEADERS: u64 = 64 + 2 * 56;
/// Where in the file the list stands: the largest page of both processors.
const OFFSET: u64 = 0x1_0000;
/// A call in memory: its number, six arguments, its answer.
const ENTRY: usize = 64;
/// Calls that have room before the data.
const MOST: usize = (DATA - CALLS) as usize / ENTRY;

/// The calls that a program will make.
#[derive(Clone, Debug, Default)]
pub struct Tape {
    calls: Vec<[u64; 7]>,
    data: Vec<u8>,
}

/// Why there is no program.
#[derive(Debug, thiserror::Error)]
pub enum TapeError {
    /// More calls than have room.
    #[error("a tape of {0} calls: there is room for {MOST}")]
    TooLong(usize),
    /// No code for this processor.
    #[error("no code for {}", std::env::consts::ARCH)]
    Architecture,
    /// The file could not be written.
    #[error("write the program: {0}")]
    Write(#[from] io::Error),
}

impl Tape {
    /// Adds a call and returns its place in the list.
    pub fn call(&mut self, number: i64, arguments: [u64; 6]) -> usize {
        let [first, second, third, fourth, fifth, sixth] = arguments;
        let number = number.cast_unsigned();
        self.calls.push([number, first, second, third, fourth, fifth, sixth]);
        self.calls.len() - 1
    }

    /// Adds bytes that calls may point to, and returns their address in the program. They end with a NUL.
    pub fn data(&mut self, bytes: &[u8]) -> u64 {
        let address = DATA + self.data.len() as u64;
        self.data.extend_from_slice(bytes);
        self.data.push(0);
        self.data.resize(self.data.len().next_multiple_of(8), 0);
        address
    }

    /// Adds an `openat` of an absolute or relative path.
    pub fn open(&mut self, path: &[u8], flags: i32) -> usize {
        let path = self.data(path);
        let here = i64::from(libc::AT_FDCWD).cast_unsigned();
        self.call(libc::SYS_openat, [here, path, flags as u64, 0o644, 0, 0])
    }

    /// Adds a `write` of the answers so far to standard output.
    pub fn report(&mut self) {
        let length = (self.calls.len() * ENTRY) as u64;
        self.call(libc::SYS_write, [1, CALLS, length, 0, 0, 0]);
    }

    /// Adds the end of the program.
    pub fn exit(&mut self) {
        self.call(libc::SYS_exit_group, [0; 6]);
    }

    /// Where the answer of a call stands in the memory of the program.
    pub fn answer_address(&self, call: usize) -> u64 {
        CALLS + (call * ENTRY + 56) as u64
    }

    /// Writes the program as a fresh executable file.
    ///
    /// # Errors
    /// See [`TapeError`].
    pub fn write_to(&self, path: &Path) -> Result<(), TapeError> {
        if self.calls.len() > MOST {
            return Err(TapeError::TooLong(self.calls.len()));
        }
        let code = code().ok_or(TapeError::Architecture)?;
        let mut file = OpenOptions::new().write(true).create_new(true).mode(0o700).open(path)?;
        file.write_all(&self.headers(code.len() as u64))?;
        file.write_all(&code)?;
        // What is passed over reads as zeros and takes no room.
        file.seek(SeekFrom::Start(OFFSET))?;
        let entry = |call: &[u64; 7]| -> Vec<u8> {
            call.iter().chain([&0]).flat_map(|word| word.to_le_bytes()).collect()
        };
        file.write_all(&self.calls.iter().flat_map(entry).collect::<Vec<u8>>())?;
        file.seek(SeekFrom::Start(OFFSET + DATA - CALLS))?;
        file.write_all(&self.data)?;
        file.set_len(OFFSET + DATA - CALLS + self.data.len() as u64)?;
        Ok(())
    }

    /// `ET_EXEC` for this processor with two segments: the code, and what it reads and writes.
    fn headers(&self, code: u64) -> Vec<u8> {
        let machine: u16 = if cfg!(target_arch = "aarch64") { 183 } else { 62 };
        let mut bytes = b"\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0".to_vec();
        let halves =
            |values: &[u16]| values.iter().flat_map(|v| v.to_le_bytes()).collect::<Vec<_>>();
        let words =
            |values: &[u64]| values.iter().flat_map(|v| v.to_le_bytes()).collect::<Vec<_>>();
        bytes.extend(halves(&[2, machine, 1, 0])); // ET_EXEC, version 1
        bytes.extend(words(&[TEXT + HEADERS, 64, 0])); // entry, program headers, no sections
        bytes.extend(halves(&[0, 0, 64, 56, 2, 0, 0, 0])); // flags, sizes, two program headers
        let size = HEADERS + code;
        bytes.extend(halves(&[1, 0, 5, 0])); // PT_LOAD, readable and executable
        bytes.extend(words(&[0, TEXT, TEXT, size, size, OFFSET]));
        let size = DATA - CALLS + self.data.len() as u64;
        bytes.extend(halves(&[1, 0, 6, 0])); // PT_LOAD, readable and writable
        bytes.extend(words(&[OFFSET, CALLS, CALLS, size, size, OFFSET]));
        bytes
    }
}

/// The answers in what a program reported, call by call: results, or negative errnos.
pub fn answers(report: &[u8]) -> Vec<i64> {
    let answer = |entry: &[u8]| {
        let bytes = entry.get(56..)?.try_into().ok()?;
        Some(i64::from_le_bytes(bytes))
    };
    report.chunks_exact(ENTRY).filter_map(answer).collect()
}

/// A loop over the list that never ends: the list does, with `exit_group`.
fn code() -> Option<Vec<u8>> {
    if cfg!(target_arch = "x86_64") {
        let mut code = vec![0xbb, 0, 0, 0x50, 0]; // mov ebx, 0x500000
        code.extend([0x48, 0x8b, 0x03]); // mov rax, [rbx]
        code.extend([0x48, 0x8b, 0x7b, 8]); // mov rdi, [rbx + 8]
        code.extend([0x48, 0x8b, 0x73, 16]); // mov rsi, [rbx + 16]
        code.extend([0x48, 0x8b, 0x53, 24]); // mov rdx, [rbx + 24]
        code.extend([0x4c, 0x8b, 0x53, 32]); // mov r10, [rbx + 32]
        code.extend([0x4c, 0x8b, 0x43, 40]); // mov r8, [rbx + 40]
        code.extend([0x4c, 0x8b, 0x4b, 48]); // mov r9, [rbx + 48]
        code.extend([0x0f, 0x05]); // syscall
        code.extend([0x48, 0x89, 0x43, 56]); // mov [rbx + 56], rax
        code.extend([0x48, 0x83, 0xc3, 64]); // add rbx, 64
        code.extend([0xeb, 0xd9]); // jmp to the second instruction
        Some(code)
    } else if cfg!(target_arch = "aarch64") {
        let code: [u32; 9] = [
            0xd2a0_0a13, // movz x19, #0x50, lsl #16
            0xf940_0268, // ldr x8, [x19]
            0xa940_8660, // ldp x0, x1, [x19, #8]
            0xa941_8e62, // ldp x2, x3, [x19, #24]
            0xa942_9664, // ldp x4, x5, [x19, #40]
            0xd400_0001, // svc #0
            0xf900_1e60, // str x0, [x19, #56]
            0x9101_0273, // add x19, x19, #64
            0x17ff_fff9, // b to the second instruction
        ];
        Some(code.iter().flat_map(|word| word.to_le_bytes()).collect())
    } else {
        None
    }
}
