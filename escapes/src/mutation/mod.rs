//! Linux. What the mutation gate cannot see by itself: why it is right that a mutant or an escape is
//! not noticed. Each row is read by a test, and a row that is not needed fails the gate.

mod idle;
mod justified;
mod touched;

pub use touched::touched;

/// The reasons of this catalogue.
pub const REASONS: harness::mutate::Reasons =
    harness::mutate::Reasons { mutants: justified::MUTANTS, idle: idle::ESCAPES };
