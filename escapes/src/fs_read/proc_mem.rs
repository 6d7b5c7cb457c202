//! The memory of another process is a file too.

use fixtures::watch::victim::VICTIM;
use harness::escape::{Escape, Layer};
use harness::scene::Scene;
use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;

pub(super) const ESCAPES: &[Escape] = &[Escape {
    id: "fs-read/proc-mem",
    summary: "Read the memory of a process outside through /proc",
    techniques: &["FR-PROCMEM"],
    references: &[
        "https://github.com/NVIDIA/OpenShell/issues/578",
        "https://man7.org/linux/man-pages/man5/proc_pid_mem.5.html",
    ],
    decoys: &[VICTIM],
    stops: &[Layer::Landlock, Layer::MountNamespace, Layer::OtherNamespace, Layer::Hook],
    witnesses: &["hygiene/capabilities", "layer/landlock"],
    native: Some(read),
    python: Some(include_str!("proc_mem.py")),
    ..Escape::BLANK
}];

fn read(scene: &Scene) -> io::Result<Vec<u8>> {
    let memory = File::open(format!("/proc/{}/mem", scene.text("victim")?))?;
    let mut loot = vec![0; scene.number("victim-length")?];
    let address = scene.text("victim-address")?;
    let address = u64::from_str_radix(address, 16).map_err(io::Error::other)?;
    memory.read_exact_at(&mut loot, address)?;
    Ok(loot)
}
