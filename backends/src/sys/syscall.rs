//! Linux. System calls without libc. The child of a launch shares its parent's memory and its thread
//! pointer, so it must not touch `errno`, which is thread-local, nor anything else of libc.

use std::arch::asm;

/// Makes a system call and returns what the kernel returned: a negative errno, or the result.
///
/// # Safety
/// The arguments must be what the call with this number takes; every pointer among them must be valid
/// for as long as the kernel uses it.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
pub(super) unsafe fn syscall(number: i64, arguments: [usize; 6]) -> isize {
    let result: isize;
    // SAFETY: the kernel's calling convention on x86_64 (syscall(2)): number in rax, arguments in
    // rdi, rsi, rdx, r10, r8, r9; rcx and r11 are lost. The caller vouches for the arguments.
    unsafe {
        asm!(
            "syscall",
            inlateout("rax") number as isize => result,
            in("rdi") arguments[0],
            in("rsi") arguments[1],
            in("rdx") arguments[2],
            in("r10") arguments[3],
            in("r8") arguments[4],
            in("r9") arguments[5],
            out("rcx") _,
            out("r11") _,
            options(nostack),
        );
    }
    result
}

/// Makes a system call and returns what the kernel returned: a negative errno, or the result.
///
/// # Safety
/// The arguments must be what the call with this number takes; every pointer among them must be valid
/// for as long as the kernel uses it.
#[cfg(target_arch = "aarch64")]
#[inline(always)]
pub(super) unsafe fn syscall(number: i64, arguments: [usize; 6]) -> isize {
    let result: isize;
    // SAFETY: the kernel's calling convention on aarch64 (syscall(2)): number in x8, arguments in
    // x0 to x5, result in x0. The caller vouches for the arguments.
    unsafe {
        asm!(
            "svc 0",
            in("x8") number,
            inlateout("x0") arguments[0] as isize => result,
            in("x1") arguments[1],
            in("x2") arguments[2],
            in("x3") arguments[3],
            in("x4") arguments[4],
            in("x5") arguments[5],
            options(nostack),
        );
    }
    result
}
