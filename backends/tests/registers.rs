//! What a program finds in its registers when it begins: nothing of its launch. The key of its execution was
//! in two of them.

#![cfg(target_os = "linux")]
#![expect(clippy::unwrap_used, reason = "a test fails where its setting is broken")]

use backends::backend::Backend;
use backends::command::Command;
use backends::linux::discover;
use backends::native::native;
use backends::policy::Policy;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// Writes every general register, as it was at the first instruction, to standard output.
#[cfg(target_arch = "x86_64")]
const PROGRAM: &str = "
.globl _start
_start:
    push %rsp
    push %rax; push %rbx; push %rdx; push %rsi; push %rdi; push %rbp
    push %r8; push %r9; push %r10; push %r12; push %r13; push %r14; push %r15
    push %rcx; push %r11
    mov $1, %eax; mov $1, %edi; mov %rsp, %rsi; mov $128, %edx; syscall
    mov $231, %eax; xor %edi, %edi; syscall
";
/// The return to the program puts its address and its flags into two of them, the first that are written, and
/// the stack pointer is the last.
#[cfg(target_arch = "x86_64")]
const OF_THE_KERNEL: [usize; 3] = [0, 1, 15];

#[cfg(target_arch = "aarch64")]
const PROGRAM: &str = "
.globl _start
_start:
    sub sp, sp, #256
    stp x0, x1, [sp]; stp x2, x3, [sp, #16]; stp x4, x5, [sp, #32]; stp x6, x7, [sp, #48]
    stp x8, x9, [sp, #64]; stp x10, x11, [sp, #80]; stp x12, x13, [sp, #96]; stp x14, x15, [sp, #112]
    stp x16, x17, [sp, #128]; stp x18, x19, [sp, #144]; stp x20, x21, [sp, #160]; stp x22, x23, [sp, #176]
    stp x24, x25, [sp, #192]; stp x26, x27, [sp, #208]; stp x28, x29, [sp, #224]; stp x30, xzr, [sp, #240]
    mov x8, #64; mov x0, #1; mov x1, sp; mov x2, #256; svc 0
    mov x8, #94; mov x0, #0; svc 0
";
#[cfg(target_arch = "aarch64")]
const OF_THE_KERNEL: [usize; 0] = [];

#[expect(clippy::disallowed_methods, reason = "the compiler is no program under trial")]
fn program(folder: &Path) -> PathBuf {
    let (source, image) = (folder.join("registers.s"), folder.join("registers"));
    std::fs::write(&source, PROGRAM).unwrap();
    let mut compiler = std::process::Command::new("cc");
    compiler.args(["-nostdlib", "-static", "-o"]).arg(&image).arg(&source);
    assert!(compiler.status().unwrap().success());
    image
}

#[test]
fn a_program_begins_with_no_register_that_could_hold_the_key_of_its_launch() {
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path().canonicalize().unwrap();
    let run = place.join("run");
    std::fs::create_dir(&run).unwrap();
    let needs = discover::program(&program(&place), OsStr::new("/usr/bin:/bin")).unwrap();
    let policy = Policy::builder().needs(&needs).unwrap().build().unwrap();
    let confinement = native().prepare(&policy).unwrap();
    let completed = confinement.launch(Command::new(needs.image, run)).unwrap().wait().unwrap();
    let registers: Vec<u64> = completed
        .output
        .chunks_exact(8)
        .map(|bytes| u64::from_ne_bytes(bytes.try_into().unwrap()))
        .collect();
    assert!(registers.len() >= 16, "{completed:?}");
    for (index, register) in registers.iter().enumerate() {
        assert!(*register == 0 || OF_THE_KERNEL.contains(&index), "{index}: {registers:x?}");
    }
}
