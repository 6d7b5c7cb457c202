//! The search for escapes that nobody listed: short programs out of a grammar of system calls are carried
//! out under a sandbox, and whatever is seen of one from outside is a counterexample.
//!
//! [`calls`] and [`words`] are the vocabulary, [`program`] a program and its text, [`grammar`] the
//! generator. `interpret` is the inside; `ground` the world with its watchers; `shrink` and `hunt`
//! find and shorten what was seen. `docs/search.md` says what the property is.

pub mod calls;
mod control;
pub mod escape_file;
pub mod grammar;
pub mod ground;
pub mod hunt;
pub(crate) mod interpret;
pub mod program;
pub mod shrink;
pub mod words;

pub use control::{ControlError, control};
pub use interpret::attempt;
