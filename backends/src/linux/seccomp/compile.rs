//! From a filter to the program that the kernel runs: a binary search tree over system call numbers.
//!
//! A tree is chosen for the cost of installing it: the kernel runs the program for every number (see
//! [`super::bpf`]), so a linear list of the same rules is several times as slow.
//!
//! ```text
//! LD arch; JEQ ours else RET foreign_arch; LD nr; tree
//! ```

mod layout;

use std::collections::{BTreeMap, BTreeSet};

use self::layout::{Block, Comparison, Run, lay_out};
use super::bpf::{self, Instruction};
use super::filter::{Action, Arch, Check, Clause, Errno, Filter, Operand, Rule, Width};
use super::own::Own;

/// A compiled filter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// The instructions. At each slot the operand is [`Late::marker`].
    pub instructions: Vec<Instruction>,
    /// The indices, ascending, of the instructions whose operand must be put in before the filter is
    /// installed, and what it becomes.
    pub slots: Vec<(usize, Late)>,
}

/// An operand that is known at the launch only.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Late {
    /// The process id of the program.
    Pid,
    /// The first half of the key.
    KeyFirst,
    /// The second half of the key.
    KeySecond,
}

impl Late {
    /// Stands for the operand until it is known, and makes a program that was never completed refuse: no
    /// process has an id above `PID_MAX_LIMIT` (0 would allow `kill(0, …)`, the whole group), and a
    /// second half of zero is no key.
    pub const fn marker(self) -> u32 {
        match self {
            Self::Pid => i32::MAX as u32,
            Self::KeyFirst | Self::KeySecond => 0,
        }
    }

    /// What it is for a program.
    pub fn of(self, own: &Own) -> u32 {
        match (self, own.key) {
            (Self::Pid, _) => own.pid,
            (Self::KeyFirst, Some(key)) => key.first,
            (Self::KeySecond, Some(key)) => key.second.get(),
            (Self::KeyFirst | Self::KeySecond, None) => self.marker(),
        }
    }
}

impl Program {
    /// The instructions for one program.
    pub fn for_program(&self, own: &Own) -> Vec<Instruction> {
        let mut instructions = self.instructions.clone();
        for &(slot, late) in &self.slots {
            if let Some(instruction) = instructions.get_mut(slot) {
                instruction.k = late.of(own);
            }
        }
        instructions
    }

    /// The array of `struct sock_filter` in native byte order, the markers in place: the same bytes
    /// for the same filter, whichever process it is for.
    pub fn bytes(&self) -> Vec<u8> {
        self.instructions.iter().flat_map(|instruction| instruction.bytes()).collect()
    }
}

/// Why a filter cannot be compiled.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CompileError {
    /// A rule names a call that the architecture does not have.
    #[error("compile the filter: {arch:?} has no system call {name:?}")]
    UnknownSyscall {
        /// The name of the rule.
        name: String,
        /// The architecture of the filter.
        arch: Arch,
    },
    /// A check names an argument after the sixth.
    #[error("compile the rule of {syscall}: a system call has no argument {argument}")]
    NoSuchArgument {
        /// The name of the rule.
        syscall: &'static str,
        /// The argument of the check.
        argument: u8,
    },
    /// A 32-bit check has a mask or a constant of more than 32 bits.
    #[error("compile the rule of {syscall}: the 32-bit check of argument {argument} is too wide")]
    CheckTooWide {
        /// The name of the rule.
        syscall: &'static str,
        /// The argument of the check.
        argument: u8,
    },
    /// The program is longer than the kernel accepts.
    #[error("compile the filter: {count} instructions are more than the kernel accepts")]
    ProgramTooLong {
        /// The length of the program.
        count: usize,
    },
}

/// Compiles a filter.
///
/// # Errors
///
/// The filter says something that has no meaning on its architecture, or is too long.
pub fn compile(filter: &Filter) -> Result<Program, CompileError> {
    let mut code = vec![
        Line::from(Instruction::statement(bpf::LOAD, bpf::ARCH_OFFSET)),
        Line::from(Instruction {
            code: bpf::JUMP_IF_EQUAL,
            jt: 1,
            jf: 0,
            k: filter.arch.audit_value(),
        }),
        ret(filter.foreign_arch),
        Line::from(Instruction::statement(bpf::LOAD, bpf::NUMBER_OFFSET)),
    ];
    code.extend(lay_out(&runs(filter)?));
    accepted(code.len())?;
    Ok(Program {
        slots: code
            .iter()
            .enumerate()
            .filter_map(|(index, line)| line.late.map(|late| (index, late)))
            .collect(),
        instructions: code.into_iter().map(|line| line.instruction).collect(),
    })
}

/// Whether the kernel accepts a program of this length.
fn accepted(count: usize) -> Result<(), CompileError> {
    if count > bpf::MAX_INSTRUCTIONS {
        return Err(CompileError::ProgramTooLong { count });
    }
    Ok(())
}

/// An instruction on its way into a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Line {
    instruction: Instruction,
    late: Option<Late>,
}

impl From<Instruction> for Line {
    fn from(instruction: Instruction) -> Self {
        Self { instruction, late: None }
    }
}

fn ret(action: Action) -> Line {
    Line::from(Instruction::statement(bpf::RETURN, action.return_value()))
}

/// Cuts the numbers into runs that are treated alike.
fn runs(filter: &Filter) -> Result<Vec<Run>, CompileError> {
    let syscalls: BTreeMap<_, _> = filter.arch.syscalls().collect();
    if let Some(name) = filter.rules.keys().find(|name| !syscalls.contains_key(name.as_str())) {
        return Err(CompileError::UnknownSyscall { name: name.clone(), arch: filter.arch });
    }
    let default = Rule::Always(filter.default);
    let x32 = Rule::Always(filter.x32);
    // Boundaries: what holds from this number on. A number without a rule after one with a rule
    // falls back to the default, unless the next boundary overwrites it.
    let mut boundaries = BTreeMap::from([(0, ("", &default))]);
    for (name, number) in filter.arch.syscalls() {
        if let Some(rule) = filter.rules.get(name) {
            boundaries.insert(number, (name, rule));
            boundaries.insert(number + 1, ("", &default));
        }
    }
    if filter.arch.has_x32() {
        boundaries.insert(Arch::X32_FIRST, ("", &x32));
    }
    let mut runs = Vec::new();
    let mut previous = None;
    for (first, (syscall, rule)) in boundaries {
        if previous != Some(rule) {
            runs.push(Run { first, block: block(syscall, rule)? });
            previous = Some(rule);
        }
    }
    Ok(runs)
}

fn block(syscall: &'static str, rule: &Rule) -> Result<Block, CompileError> {
    match rule {
        Rule::Always(action) => Ok(Block::Return(*action)),
        Rule::Once { second: argument } if *argument > 5 => {
            Err(CompileError::NoSuchArgument { syscall, argument: *argument })
        }
        Rule::Once { second } => Ok(Block::Once { second: *second }),
        Rule::Checked { allow_if, otherwise } => Ok(Block::Checked {
            clauses: clauses(syscall, allow_if)?,
            holds: Action::Allow,
            otherwise: *otherwise,
        }),
        Rule::Feigned { refuse_if, refused } => Ok(Block::Checked {
            clauses: clauses(syscall, refuse_if)?,
            holds: Action::Errno(*refused),
            otherwise: Errno::Success,
        }),
    }
}

fn clauses(
    syscall: &'static str,
    clauses: &BTreeSet<Clause>,
) -> Result<Vec<Vec<Comparison>>, CompileError> {
    clauses.iter().map(|clause| comparisons(syscall, clause)).collect()
}

fn comparisons(syscall: &'static str, clause: &Clause) -> Result<Vec<Comparison>, CompileError> {
    let mut comparisons = Vec::new();
    for &Check { argument, width, mask, operand } in clause {
        if argument > 5 {
            return Err(CompileError::NoSuchArgument { syscall, argument });
        }
        let (value, late) = match operand {
            Operand::Constant(value) => (value, None),
            Operand::OwnPid => (u64::from(Late::Pid.marker()), Some(Late::Pid)),
        };
        let offset = bpf::argument_offset(argument);
        let (mask_high, high) = ((mask >> 32) as u32, (value >> 32) as u32);
        match width {
            Width::Low32 if (mask_high, high) != (0, 0) => {
                return Err(CompileError::CheckTooWide { syscall, argument });
            }
            Width::Low32 => {}
            Width::Full64 => comparisons.push(Comparison {
                offset: offset + bpf::UPPER_HALF,
                mask: mask_high,
                operand: high,
                late: None,
            }),
        }
        comparisons.push(Comparison { offset, mask: mask as u32, operand: value as u32, late });
    }
    Ok(comparisons)
}

#[cfg(test)]
mod tests;
