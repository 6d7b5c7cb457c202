//! The part of classic BPF that seccomp programs are made of, `bpf(4)` and `linux/filter.h`.
//!
//! The compiler keeps to this part for a reason: since Linux 5.11 the kernel runs a filter once for
//! each system call number when it is installed, and lets calls that are always allowed skip the
//! filter afterwards. It gives up at any other instruction (`seccomp_is_const_allow` in
//! `kernel/seccomp.c`).

/// Load a 32-bit word of `struct seccomp_data` from byte offset `k`.
pub const LOAD: u16 = (libc::BPF_LD | libc::BPF_W | libc::BPF_ABS) as u16;
/// Keep only the bits of `k`.
pub const AND: u16 = (libc::BPF_ALU | libc::BPF_AND | libc::BPF_K) as u16;
/// Skip `k` instructions.
pub const JUMP: u16 = (libc::BPF_JMP | libc::BPF_JA) as u16;
/// Skip `jt` instructions if the loaded word equals `k`, else `jf`.
pub const JUMP_IF_EQUAL: u16 = (libc::BPF_JMP | libc::BPF_JEQ | libc::BPF_K) as u16;
/// Skip `jt` instructions if the loaded word is `k` or more, else `jf`.
pub const JUMP_IF_AT_LEAST: u16 = (libc::BPF_JMP | libc::BPF_JGE | libc::BPF_K) as u16;
/// Skip `jt` instructions if the loaded word is more than `k`, else `jf`.
pub const JUMP_IF_GREATER: u16 = (libc::BPF_JMP | libc::BPF_JGT | libc::BPF_K) as u16;
/// Skip `jt` instructions if the loaded word has any bit of `k`, else `jf`.
pub const JUMP_IF_ANY_BIT: u16 = (libc::BPF_JMP | libc::BPF_JSET | libc::BPF_K) as u16;
/// End with the value `k`.
pub const RETURN: u16 = (libc::BPF_RET | libc::BPF_K) as u16;

/// The most instructions that a program may have, `BPF_MAXINSNS` of `linux/bpf_common.h`.
pub const MAX_INSTRUCTIONS: usize = 4096;

/// Byte offset of `seccomp_data.nr`.
pub const NUMBER_OFFSET: u32 = 0;
/// Byte offset of `seccomp_data.arch`.
pub const ARCH_OFFSET: u32 = 4;

/// Bytes from the low half of an argument to the upper one.
pub const UPPER_HALF: u32 = 4;

/// Byte offset of the low half of `seccomp_data.args[argument]`; the high half follows it, as both
/// architectures are little-endian.
pub const fn argument_offset(argument: u8) -> u32 {
    16 + 8 * argument as u32
}

/// One instruction, laid out as the kernel's `struct sock_filter`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct Instruction {
    /// What to do.
    pub code: u16,
    /// How many instructions to skip if the comparison holds.
    pub jt: u8,
    /// How many instructions to skip if it does not.
    pub jf: u8,
    /// The operand.
    pub k: u32,
}

impl Instruction {
    /// An instruction that does not compare.
    pub const fn statement(code: u16, k: u32) -> Self {
        Self { code, jt: 0, jf: 0, k }
    }

    /// The eight bytes of `struct sock_filter` in native byte order.
    pub fn bytes(self) -> [u8; 8] {
        let [c0, c1] = self.code.to_ne_bytes();
        let [k0, k1, k2, k3] = self.k.to_ne_bytes();
        [c0, c1, self.jt, self.jf, k0, k1, k2, k3]
    }
}
