//! Records, verdicts and the formats they are written in. Everything here is pure: it turns facts
//! into bytes and never runs anything.

pub mod record;
pub mod text;
pub mod verdict;
