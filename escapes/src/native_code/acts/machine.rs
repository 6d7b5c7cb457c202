//! The two processors of a Mac, and the code of one system call for each: every argument is an immediate
//! of its own, so it needs no data and no relocation. It stores the kernel's answer where it is told, which
//! is negative for an error: the kernel tells one by the carry flag. The code is data here and known to be
//! right for both wherever it is tested.

/// A processor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Machine {
    Arm64,
    X86_64,
}

impl Machine {
    /// A function that makes the system call of this number with these arguments, stores what the kernel
    /// answers at an address, and returns 0.
    pub(crate) fn call(self, number: i64, arguments: [usize; 6], answer: usize) -> Vec<u8> {
        match self {
            Self::Arm64 => arm64(number, arguments, answer),
            Self::X86_64 => x86_64(number, arguments, answer),
        }
    }
}

fn x86_64(number: i64, arguments: [usize; 6], answer: usize) -> Vec<u8> {
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
    code.extend([0x0f, 0x05, 0x73, 0x03, 0x48, 0xf7, 0xd8]); // syscall; jnc 1f; neg rax; 1:
    code.extend([0x48, 0xa3]); // mov [moffs64], rax
    code.extend(answer.to_le_bytes());
    code.extend([0x31, 0xc0, 0xc3]); // xor eax, eax; ret
    code
}

fn arm64(number: i64, arguments: [usize; 6], answer: usize) -> Vec<u8> {
    let mut code = Vec::new();
    for (register, argument) in (0_u32..).zip(arguments) {
        code.extend(immediate(register, argument as u64));
    }
    code.extend(immediate(16, number.cast_unsigned()));
    code.extend([0xd400_1001, 0x5400_0043, 0xcb00_03e0]); // svc #0x80; b.cc 1f; neg x0, x0; 1:
    code.extend(immediate(9, answer as u64));
    code.extend([0xf900_0120, 0xd280_0000, 0xd65f_03c0]); // str x0, [x9]; mov x0, #0; ret
    code.into_iter().flat_map(u32::to_le_bytes).collect()
}

/// Four instructions that put a number into a register: `movz`, and `movk` for each further part.
fn immediate(register: u32, number: u64) -> [u32; 4] {
    let part = |at: u32| (((number >> (16 * at)) & 0xffff) as u32) << 5 | at << 21 | register;
    [0xd280_0000 | part(0), 0xf280_0000 | part(1), 0xf280_0000 | part(2), 0xf280_0000 | part(3)]
}
