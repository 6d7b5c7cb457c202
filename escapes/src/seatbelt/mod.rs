//! What the macOS profile answers to every escape of the catalogue, asked without a Mac.
//!
//! An escape is a few accesses that must all be allowed for it to succeed; [`questions`] says which, for
//! each escape. The profile must deny one of them. Beside them stand [`useful`] accesses, which must be
//! allowed, and [`guards`]: accesses of no escape of the catalogue that must be denied all the same.

pub mod forms;
pub mod guards;
pub mod questions;
pub mod scenario;
pub mod useful;
