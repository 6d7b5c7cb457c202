//! Take memory that no limit of address space counts: a file without a path.

use super::stay::{self, LIMIT};
use fixtures::watch::usage::{Usage, What};
use harness::escape::{Escape, Layer};
use harness::scene::Scene;
use nix::sys::memfd::{MFdFlags, memfd_create};
use std::fs::File;
use std::io::{self, Write};

pub(super) const ESCAPES: &[Escape] = &[Escape {
    id: "resource/memory-file",
    summary: "Write 48 MiB into a file that lies in memory, which no limit of address space counts",
    techniques: &["RA-MEMFD"],
    references: &["https://man7.org/linux/man-pages/man2/memfd_create.2.html"],
    decoys: &[&Usage { what: What::MemoryFiles, above: 32 << 20, milliseconds: 0 }],
    stops: &[Layer::Seccomp, Layer::Limits],
    witnesses: &["seccomp/memfd_create"],
    native: Some(fill),
    python: Some(concat!(include_str!("stay.py"), include_str!("memory_file.py"))),
    ..LIMIT
}];

fn fill(scene: &Scene) -> io::Result<Vec<u8>> {
    let mut file = File::from(memfd_create("held", MFdFlags::MFD_CLOEXEC)?);
    for _ in 0..48 {
        file.write_all(&[1; 1 << 20])?;
    }
    stay::idle(scene)
}
