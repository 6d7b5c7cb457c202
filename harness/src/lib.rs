//! The framework: what an escape is, how a trial runs, how it is judged. It knows no escape.

pub mod escape;
pub mod judge;
pub mod scene;
pub mod stage;
pub mod tier;
pub mod twin;
pub mod useful_judge;
