//! Linux: what Landlock and seccomp are told, and how a program is launched under them.

pub mod seccomp;
