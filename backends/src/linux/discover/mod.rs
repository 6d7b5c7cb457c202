//! Linux: finds out which files a program must be able to read and execute before it can start.
//!
//! A confinement that grants nothing but the caller's paths starts nothing: the kernel opens the
//! image and its ELF interpreter, the loader opens libraries, Python opens its standard library.
//! This module names exactly those files, so that a policy can grant them and `explain-policy` can
//! show them.
//!
//! [`program`] reads and never runs: what it is given may be hostile. [`python()`] runs the
//! interpreter that it is given once, unconfined, and is therefore for interpreters that the caller
//! trusts.

mod ask;
mod cache;
mod elf;
mod error;
mod files;
mod libraries;
mod loader;
mod program;
mod python;
pub(crate) mod script;
mod stdlib;
#[cfg(test)]
mod tests;

/// The loader that an ELF file names, as it writes it: absolute, and often through a link.
pub(crate) fn interpreter(image: &std::path::Path) -> Option<std::path::PathBuf> {
    elf::Elf::open(image).ok()?.interpreter
}

pub use ask::AskError;
pub use elf::ElfError;
pub use error::{DiscoverError, NotExecutable, ScriptLineError};
pub use program::{Needs, program};
pub use python::{Python, python};
