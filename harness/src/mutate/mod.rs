//! Linux. The mutation gate: is every rule of the policy missed by someone when it is taken away?
//!
//! ```text
//! backends::mutant -> subject -> bench (trials) -> judge -> matrix
//!     (data)          (data)      (effects)       (pure)   (data)
//! ```
//!
//! Each escape first attacks the mutants of the rules that it witnesses, until it kills one. Mutants
//! that are left meet the rest of their witnesses, then meet them with the other rules dropped that
//! those escapes witness: what then dies is masked.

mod bench;
mod gate;
pub mod judge;
mod subject;
#[cfg(test)]
mod tests;

pub use gate::{Gate, GateError, Reasons};
pub use subject::{Part, Rules, Subject, witnesses};
