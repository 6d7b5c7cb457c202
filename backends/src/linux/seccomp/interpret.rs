//! What a filter decides, told in two ways: straight from the data, and by running the program.
//!
//! [`decide`] is the meaning of a [`Filter`], as plainly as it can be written. [`interpret`] runs
//! the instructions as the kernel does. That both agree on every call is what the compiler promises.

use super::bpf::{self, Instruction};
use super::filter::{Action, Arch, Check, Clause, Errno, Filter, Operand, Rule, Width};
use super::own::Own;
use std::collections::BTreeSet;

/// What a filter knows about a call: `struct seccomp_data` of `linux/seccomp.h`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SeccompData {
    /// The system call number.
    pub nr: u32,
    /// The architecture of the call, `AUDIT_ARCH_*`.
    pub arch: u32,
    /// Where the call was made.
    pub instruction_pointer: u64,
    /// The argument registers, whole: the kernel has not yet cut off anything.
    pub args: [u64; 6],
}

impl SeccompData {
    /// The 32-bit word at a byte offset; `None` unless the offset is aligned and inside.
    fn word(&self, offset: u32) -> Option<u32> {
        let half =
            |value: u64| if offset.is_multiple_of(8) { value as u32 } else { (value >> 32) as u32 };
        match offset {
            bpf::NUMBER_OFFSET => Some(self.nr),
            bpf::ARCH_OFFSET => Some(self.arch),
            8 | 12 => Some(half(self.instruction_pointer)),
            _ if offset.is_multiple_of(4) => {
                let argument = offset.checked_sub(bpf::argument_offset(0))? / 8;
                self.args.get(argument as usize).copied().map(half)
            }
            _ => None,
        }
    }
}

/// What `filter` decides about a call that the program `own` makes.
pub fn decide(filter: &Filter, data: &SeccompData, own: &Own) -> Action {
    if data.arch != filter.arch.audit_value() {
        return filter.foreign_arch;
    }
    if filter.arch.has_x32() && data.nr >= Arch::X32_FIRST {
        return filter.x32;
    }
    match filter.arch.name(data.nr).and_then(|name| filter.rules.get(name)) {
        Some(rule) => rule.decide(&data.args, own),
        None => filter.default,
    }
}

impl Rule {
    /// What this rule says about a call of the program `own` with these arguments.
    pub fn decide(&self, args: &[u64; 6], own: &Own) -> Action {
        match self {
            Self::Always(action) => *action,
            Self::Checked { allow_if, .. } if any_holds(allow_if, args, own) => Action::Allow,
            Self::Checked { otherwise, .. } => Action::Errno(*otherwise),
            Self::Feigned { refuse_if, refused } if any_holds(refuse_if, args, own) => {
                Action::Errno(*refused)
            }
            Self::Feigned { .. } => Action::Errno(Errno::Success),
            Self::Once { second } => {
                let [first, second] = [0, *second].map(|argument| {
                    args.get(usize::from(argument)).map_or(0, |value| (value >> 32) as u32)
                });
                match own.key {
                    _ if second == 0 => Action::Errno(Errno::Enosys),
                    Some(key) if (key.first, key.second.get()) == (first, second) => Action::Allow,
                    Some(_) | None => Action::KillProcess,
                }
            }
        }
    }
}

fn any_holds(clauses: &BTreeSet<Clause>, args: &[u64; 6], own: &Own) -> bool {
    clauses.iter().any(|clause| clause.iter().all(|check| check.holds(args, own.pid)))
}

impl Check {
    /// Whether this check holds for a call of the process `own_pid`. A check of an argument after
    /// the sixth never does.
    pub fn holds(&self, args: &[u64; 6], own_pid: u32) -> bool {
        let expected = match self.operand {
            Operand::Constant(value) => value,
            Operand::OwnPid => u64::from(own_pid),
        };
        args.get(usize::from(self.argument)).is_some_and(|&argument| {
            let seen = match self.width {
                Width::Low32 => argument & Width::Low32.all_bits(),
                Width::Full64 => argument,
            };
            seen & self.mask == expected
        })
    }
}

/// Why a program cannot be run to its end. The kernel refuses to install such a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InterpretError {
    /// A load from outside `struct seccomp_data`, or an unaligned one.
    #[error("run the filter program: instruction {index} loads from offset {offset}")]
    BadLoad {
        /// Which instruction.
        index: usize,
        /// From where it loads.
        offset: u32,
    },
    /// An instruction that is none of [`super::bpf`]'s.
    #[error("run the filter program: instruction {index} has the unknown code {code:#x}")]
    UnknownCode {
        /// Which instruction.
        index: usize,
        /// Its code.
        code: u16,
    },
    /// The program goes on behind its last instruction.
    #[error("run the filter program: it runs past its end to instruction {index}")]
    PastTheEnd {
        /// Where it would go on.
        index: usize,
    },
}

/// Runs a program and answers the value that it returns; see [`Action::from_return_value`].
///
/// # Errors
///
/// The program is not one that the kernel would install.
pub fn interpret(program: &[Instruction], data: &SeccompData) -> Result<u32, InterpretError> {
    let mut word = 0;
    let mut rest = program;
    // Jumps go forward only, so what is left becomes less and this ends.
    loop {
        let index = program.len() - rest.len();
        let Some((&Instruction { code, jt, jf, k }, after)) = rest.split_first() else {
            return Err(InterpretError::PastTheEnd { index });
        };
        let either = |condition: bool| usize::from(if condition { jt } else { jf });
        let skip = match code {
            bpf::LOAD => {
                word = data.word(k).ok_or(InterpretError::BadLoad { index, offset: k })?;
                0
            }
            bpf::AND => {
                word &= k;
                0
            }
            bpf::JUMP => k as usize,
            bpf::JUMP_IF_EQUAL => either(word == k),
            bpf::JUMP_IF_AT_LEAST => either(word >= k),
            bpf::JUMP_IF_GREATER => either(word > k),
            bpf::JUMP_IF_ANY_BIT => either(word & k != 0),
            bpf::RETURN => return Ok(k),
            _ => return Err(InterpretError::UnknownCode { index, code }),
        };
        rest = after.get(skip..).ok_or(InterpretError::PastTheEnd { index: index + 1 + skip })?;
    }
}

#[cfg(test)]
mod tests;
