//! Count and sample events of the processor and the kernel.

use super::hold::hold;
use fixtures::watch::held::HELD_DESCRIPTOR;
use fixtures::watch::victim::VICTIM;
use harness::escape::{Escape, Layer, Need};
use harness::scene::Scene;
use harness::twin::Twin;
use std::io;

const PERF: Escape = Escape {
    techniques: &["KP-PERF"],
    references: &[
        "https://man7.org/linux/man-pages/man2/perf_event_open.2.html",
        "https://docs.kernel.org/admin-guide/perf-security.html",
    ],
    decoys: &[HELD_DESCRIPTOR],
    stops: &[Layer::Seccomp],
    // `kernel.perf_event_paranoid` above 2 refuses an ordinary user.
    absent: &[libc::ENOSYS, libc::EACCES, libc::EPERM],
    twin: Twin::OwnProcess,
    ..Escape::BLANK
};

pub(super) const ESCAPES: &[Escape] = &[
    Escape {
        id: "kernel/perf",
        summary: "Measure itself by the performance counters of the kernel",
        witnesses: &["seccomp/perf_event_open"],
        native: Some(|scene| measure(scene, 0, ANY)),
        ..PERF
    },
    Escape {
        id: "kernel/perf.victim",
        summary: "Measure a process outside of the same user, whose every page and branch then shows",
        needs: &[Need::OrdinaryUser],
        decoys: &[HELD_DESCRIPTOR, VICTIM],
        stops: &[Layer::Landlock, Layer::Seccomp, Layer::MountNamespace, Layer::OtherNamespace],
        witnesses: &["seccomp/perf_event_open"],
        native: Some(|scene| measure(scene, scene.number("victim")?, ANY)),
        ..PERF
    },
    Escape {
        id: "kernel/perf.privileged",
        summary: "Measure a process outside by a capability, of which Landlock is not asked",
        needs: &[Need::Capability(38, "CAP_PERFMON")],
        decoys: &[HELD_DESCRIPTOR, VICTIM],
        stops: &[Layer::Seccomp, Layer::Hygiene, Layer::MountNamespace, Layer::OtherNamespace],
        witnesses: &["hygiene/capabilities", "seccomp/perf_event_open"],
        absent: &[libc::ENOSYS],
        native: Some(|scene| measure(scene, scene.number("victim")?, ANY)),
        ..PERF
    },
    Escape {
        id: "kernel/perf.processor",
        summary: "Measure everything that runs on a processor",
        needs: &[Need::Capability(38, "CAP_PERFMON")],
        stops: &[Layer::Seccomp, Layer::Hygiene, Layer::MountNamespace],
        witnesses: &["hygiene/capabilities", "seccomp/perf_event_open"],
        absent: &[libc::ENOSYS],
        native: Some(|scene| measure(scene, ANY, 0)),
        ..PERF
    },
];

/// Any process, or any processor.
const ANY: usize = usize::MAX;

fn measure(scene: &Scene, process: usize, processor: usize) -> io::Result<Vec<u8>> {
    // `struct perf_event_attr`, version 0: `PERF_TYPE_SOFTWARE` and 64 bytes, the task clock, and among
    // the bits of the sixth word to leave out kernel and hypervisor.
    let attributes: [u64; 8] = {
        let mut words = [0; 8];
        words[0] = if cfg!(target_endian = "little") { 64 << 32 | 1 } else { 1 << 32 | 64 };
        words[1] = 1;
        words[5] = 1 << 5 | 1 << 6;
        words
    };
    let attributes = attributes.as_ptr() as usize;
    let arguments = [attributes, process, processor, ANY, 0, 0];
    hold(scene, libc::SYS_perf_event_open, arguments, "anon_inode:[perf_event]")
}
