//! Linux seccomp: the system call filter as plain data, and what the kernel is given for it.
//!
//! ```text
//! strict(arch) -> Filter -> compile -> Program -> seccomp(2)
//!                   |                     |
//!                 decide     ==      interpret          the two must agree; tests demand it
//! ```
//!
//! A [`Filter`] is the only source: the program that the kernel runs, the text that explains the
//! policy, the digest and the weakened copies that the mutation gate tries are all functions of it.

pub mod bpf;
pub mod compile;
pub mod filter;
pub mod interpret;
mod numbers_aarch64;
mod numbers_x86_64;
pub mod own;
pub mod strict;
pub mod table;

#[cfg(test)]
mod equivalence;

pub use bpf::Instruction;
pub use compile::{CompileError, Late, Program, compile};
pub use filter::{Action, Arch, Check, Clause, Errno, Filter, Operand, Rule, Width};
pub use interpret::{InterpretError, SeccompData, decide, interpret};
pub use own::{Key, Own};
pub use strict::strict;
