//! From a filter to the program that the kernel runs: a binary search tree over system call numbers.
//!
//! The tree has one leaf for each run of adjacent numbers that are treated alike. It is chosen for
//! the cost of installing it: the kernel runs the program for every number (see [`super::bpf`]), so
//! a linear list of the same rules is several times as slow.
//!
//! ```text
//! LD arch; JEQ ours else RET foreign_arch; LD nr; tree
//! ```

use std::collections::BTreeMap;

use super::bpf::{self, Instruction};
use super::filter::{Action, Arch, Check, Clause, Errno, Filter, Operand, Rule, Width};

/// A compiled filter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// The instructions. At each of `own_pid_slots` the operand is [`Program::OWN_PID_MARKER`].
    pub instructions: Vec<Instruction>,
    /// The indices, ascending, of the instructions whose operand must become the process id of the
    /// program before the filter is installed.
    pub own_pid_slots: Vec<usize>,
}

impl Program {
    /// Stands for the process id until it is known. It is above `PID_MAX_LIMIT`, so that a program
    /// which was never patched refuses every process; 0 would allow `kill(0, …)`, the whole group.
    pub const OWN_PID_MARKER: u32 = i32::MAX as u32;

    /// The instructions for the process `own_pid`.
    pub fn for_process(&self, own_pid: u32) -> Vec<Instruction> {
        let mut instructions = self.instructions.clone();
        for &slot in &self.own_pid_slots {
            if let Some(instruction) = instructions.get_mut(slot) {
                instruction.k = own_pid;
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
    /// A rule has so many checks that a jump cannot reach over them.
    #[error("compile the rule of {syscall}: it has too many checks")]
    RuleTooLong {
        /// The name of the rule.
        syscall: &'static str,
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
    code.extend(tree(&leaves(filter)?));
    if code.len() > bpf::MAX_INSTRUCTIONS {
        return Err(CompileError::ProgramTooLong { count: code.len() });
    }
    Ok(Program {
        own_pid_slots: (0..code.len()).filter(|&index| code[index].is_own_pid).collect(),
        instructions: code.into_iter().map(|line| line.instruction).collect(),
    })
}

/// An instruction on its way into a program.
#[derive(Clone, Copy, Debug)]
struct Line {
    instruction: Instruction,
    is_own_pid: bool,
}

impl From<Instruction> for Line {
    fn from(instruction: Instruction) -> Self {
        Self { instruction, is_own_pid: false }
    }
}

fn ret(action: Action) -> Line {
    Line::from(Instruction::statement(bpf::RETURN, action.return_value()))
}

/// The code for all numbers from `first` up to the next leaf's.
struct Leaf {
    first: u32,
    code: Vec<Line>,
}

/// Cuts the numbers into runs that are treated alike.
fn leaves(filter: &Filter) -> Result<Vec<Leaf>, CompileError> {
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
    let mut leaves = Vec::new();
    let mut previous = None;
    for (first, (syscall, rule)) in boundaries {
        if previous != Some(rule) {
            leaves.push(Leaf { first, code: rule_code(syscall, rule)? });
            previous = Some(rule);
        }
    }
    Ok(leaves)
}

/// A search tree whose leaves end the program. `leaves` must not be empty.
fn tree(leaves: &[Leaf]) -> Vec<Line> {
    if let [leaf] = leaves {
        return leaf.code.clone();
    }
    let (low, high) = leaves.split_at(leaves.len() / 2);
    let (below, above) = (tree(low), tree(high));
    let k = high[0].first;
    let mut code = match u8::try_from(below.len()) {
        Ok(jt) => vec![Instruction { code: bpf::JUMP_IF_AT_LEAST, jt, jf: 0, k }.into()],
        // A conditional jump reaches 255 instructions only.
        Err(_) => vec![
            Instruction { code: bpf::JUMP_IF_AT_LEAST, jt: 0, jf: 1, k }.into(),
            Instruction::statement(bpf::JUMP, below.len() as u32).into(),
        ],
    };
    code.extend(below);
    code.extend(above);
    code
}

fn rule_code(syscall: &'static str, rule: &Rule) -> Result<Vec<Line>, CompileError> {
    match rule {
        Rule::Always(action) => Ok(vec![ret(*action)]),
        Rule::Checked { allow_if, otherwise } => {
            let clauses = allow_if.iter().map(|clause| comparisons(syscall, clause));
            checked_code(&clauses.collect::<Result<Vec<_>, _>>()?, *otherwise)
                .ok_or(CompileError::RuleTooLong { syscall })
        }
    }
}

/// A comparison of one 32-bit word of `struct seccomp_data`.
struct Comparison {
    offset: u32,
    mask: u32,
    operand: u32,
    is_own_pid: bool,
}

fn comparisons(syscall: &'static str, clause: &Clause) -> Result<Vec<Comparison>, CompileError> {
    let mut comparisons = Vec::new();
    for &Check { argument, width, mask, operand } in clause {
        if argument > 5 {
            return Err(CompileError::NoSuchArgument { syscall, argument });
        }
        let (value, is_own_pid) = match operand {
            Operand::Constant(value) => (value, false),
            Operand::OwnPid => (u64::from(Program::OWN_PID_MARKER), true),
        };
        let offset = bpf::argument_offset(argument);
        let (mask_high, high) = ((mask >> 32) as u32, (value >> 32) as u32);
        match width {
            Width::Low32 if (mask_high, high) != (0, 0) => {
                return Err(CompileError::CheckTooWide { syscall, argument });
            }
            Width::Low32 => {}
            Width::Full64 => comparisons.push(Comparison {
                offset: offset + 4,
                mask: mask_high,
                operand: high,
                is_own_pid: false,
            }),
        }
        comparisons.push(Comparison {
            offset,
            mask: mask as u32,
            operand: value as u32,
            is_own_pid,
        });
    }
    Ok(comparisons)
}

/// A block that ends the program in each of its paths; `None` if a jump would be too far.
fn checked_code(clauses: &[Vec<Comparison>], otherwise: Errno) -> Option<Vec<Line>> {
    let mut code: Vec<Line> = Vec::new();
    let mut to_allow = Vec::new();
    let mut loaded = None;
    for clause in clauses {
        let mut to_next = Vec::new();
        for comparison in clause {
            let word = (comparison.offset, comparison.mask);
            // Only a clause of one comparison leaves the same word behind on every way out of it.
            if loaded != Some(word) {
                code.push(Instruction::statement(bpf::LOAD, comparison.offset).into());
                if comparison.mask != u32::MAX {
                    code.push(Instruction::statement(bpf::AND, comparison.mask).into());
                }
            }
            loaded = (clause.len() == 1).then_some(word);
            to_next.push(code.len());
            let instruction = Instruction::statement(bpf::JUMP_IF_EQUAL, comparison.operand);
            code.push(Line { instruction, is_own_pid: comparison.is_own_pid });
        }
        // The last comparison that holds allows; each that does not goes on to the next clause.
        let next = code.len();
        match to_next.last() {
            Some(&last) => to_allow.push(last),
            None => {
                code.push(ret(Action::Allow));
                return patched(code, &to_allow);
            }
        }
        for index in to_next {
            code[index].instruction.jf = u8::try_from(next - index - 1).ok()?;
        }
    }
    code.push(ret(Action::Errno(otherwise)));
    if !to_allow.is_empty() {
        code.push(ret(Action::Allow));
    }
    patched(code, &to_allow)
}

/// Lets every comparison of `to_allow` jump to the last instruction when it holds.
fn patched(mut code: Vec<Line>, to_allow: &[usize]) -> Option<Vec<Line>> {
    let target = code.len() - 1;
    for &index in to_allow {
        code[index].instruction.jt = u8::try_from(target - index - 1).ok()?;
    }
    Some(code)
}

#[cfg(test)]
mod tests;
