//! Linux: what Landlock and seccomp are told, and what a program needs to run under them.

pub mod discover;
pub mod lower;
pub mod seccomp;
pub mod tape;
pub mod view;
