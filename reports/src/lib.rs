//! Records, verdicts and the formats they are written in. Everything here is pure: it turns facts
//! into bytes and never runs anything.

pub mod details;
pub mod exit;
pub mod json;
pub mod junit;
pub mod mutation;
pub mod record;
pub mod terminal;
pub mod text;
pub mod verdict;

#[cfg(test)]
mod hostile;
#[cfg(test)]
mod sample;
