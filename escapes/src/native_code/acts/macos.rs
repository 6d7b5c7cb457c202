//! How macOS is asked: numbers of calls (`bsd/kern/syscalls.master` of XNU), and the code of one. The kernel
//! tells an error by the carry flag; the code makes it a negative answer, as on Linux.

use std::sync::atomic::AtomicI64;

pub(super) const READ: i64 = 3;
pub(super) const WRITE: i64 = 4;
pub(super) const OPENAT: i64 = 463;
pub(super) const SOCKET: i64 = 97;
pub(super) const CONNECT: i64 = 98;
pub(super) const FORK: i64 = 2;
pub(super) const FORK_ARGUMENTS: [usize; 6] = [0; 6];
/// How a `struct sockaddr_in` begins: its length, and the family.
pub(super) const INTERNET: [u8; 2] = [16, libc::AF_INET as u8];

/// Code of one system call: every argument is an immediate of its own, so it needs no data and no
/// relocation. It stores the kernel's answer at `answer`. Of a fork the new process gets 0, for the kernel
/// tells it by a second register that it is the new one.
#[cfg(target_arch = "x86_64")]
pub(crate) fn assemble(number: i64, arguments: [usize; 6], answer: &AtomicI64) -> Vec<u8> {
    /// The class of the calls of BSD, `osfmk/mach/i386/syscall_sw.h`.
    const CLASS: i64 = 0x0200_0000;
    // mov rdi, rsi, rdx, r10, r8, r9 <- imm64: the order in which the kernel takes arguments.
    const MOVES: [[u8; 2]; 6] =
        [[0x48, 0xbf], [0x48, 0xbe], [0x48, 0xba], [0x49, 0xba], [0x49, 0xb8], [0x49, 0xb9]];
    let mut code = vec![0x48, 0xb8]; // mov rax, imm64
    code.extend((CLASS | number).to_le_bytes());
    for (operation, argument) in MOVES.iter().zip(arguments) {
        code.extend(operation);
        code.extend(argument.to_le_bytes());
    }
    code.extend([0x0f, 0x05]); // syscall
    if number == FORK {
        // jnc 1f; neg rax; jmp 2f; 1: test edx, edx; jz 2f; xor eax, eax; 2:
        code.extend([0x73, 0x05, 0x48, 0xf7, 0xd8, 0xeb, 0x06, 0x85, 0xd2, 0x74, 0x02, 0x31, 0xc0]);
    } else {
        code.extend([0x73, 0x03, 0x48, 0xf7, 0xd8]); // jnc 1f; neg rax; 1:
    }
    code.extend([0x48, 0xa3]); // mov [moffs64], rax
    code.extend((answer.as_ptr() as usize).to_le_bytes());
    code.extend([0x31, 0xc0, 0xc3]); // xor eax, eax; ret
    code
}

/// The same for 64-bit Arm.
#[cfg(target_arch = "aarch64")]
pub(crate) fn assemble(number: i64, arguments: [usize; 6], answer: &AtomicI64) -> Vec<u8> {
    let mut code = Vec::new();
    for (register, argument) in (0_u32..).zip(arguments) {
        code.extend(immediate(register, argument as u64));
    }
    code.extend(immediate(16, number.cast_unsigned()));
    code.push(0xd400_1001); // svc #0x80
    if number == FORK {
        // b.cs 2f; cbz x1, 1f; mov x0, #0; 1: b 3f; 2: neg x0, x0; 3:
        code.extend([0x5400_0082, 0xb400_0041, 0xd280_0000, 0x1400_0002, 0xcb00_03e0]);
    } else {
        code.extend([0x5400_0043, 0xcb00_03e0]); // b.cc 1f; neg x0, x0; 1:
    }
    code.extend(immediate(9, answer.as_ptr() as u64));
    code.extend([0xf900_0120, 0xd65f_03c0]); // str x0, [x9]; ret
    code.into_iter().flat_map(u32::to_le_bytes).collect()
}

/// Four instructions that put a number into a register: `movz`, and `movk` for each further part.
#[cfg(target_arch = "aarch64")]
fn immediate(register: u32, number: u64) -> [u32; 4] {
    let part = |at: u32| (((number >> (16 * at)) & 0xffff) as u32) << 5 | at << 21 | register;
    [0xd280_0000 | part(0), 0xf280_0000 | part(1), 0xf280_0000 | part(2), 0xf280_0000 | part(3)]
}
