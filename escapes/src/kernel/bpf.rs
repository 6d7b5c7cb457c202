//! Put a program or its memory into the kernel.

use super::hold::hold;
use fixtures::watch::held::HELD_DESCRIPTOR;
use harness::escape::{Escape, Layer, Need};
use harness::twin::Twin;

const BPF: Escape = Escape {
    techniques: &["KP-BPF"],
    references: &[
        "https://man7.org/linux/man-pages/man2/bpf.2.html",
        "https://nvd.nist.gov/vuln/detail/CVE-2021-3490",
    ],
    needs: &[Need::Capability(39, "CAP_BPF")],
    decoys: &[HELD_DESCRIPTOR],
    stops: &[Layer::Seccomp, Layer::Hygiene, Layer::MountNamespace],
    twin: Twin::Memory,
    ..Escape::BLANK
};

pub(super) const ESCAPES: &[Escape] = &[
    Escape {
        id: "kernel/bpf",
        summary: "Make a map for programs in the kernel",
        witnesses: &["hygiene/capabilities", "seccomp/bpf"],
        native: Some(|scene| {
            // `BPF_MAP_TYPE_HASH` with keys and values of four bytes and one entry, and no more.
            let attributes: [u32; 18] = [1, 4, 4, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];
            let place = attributes.as_ptr() as usize;
            let length = size_of_val(&attributes);
            hold(scene, libc::SYS_bpf, [MAP_CREATE, place, length, 0, 0, 0], "bpf-map")
        }),
        ..BPF
    },
    Escape {
        id: "kernel/bpf.program",
        summary: "Load a program into the kernel",
        witnesses: &["hygiene/capabilities", "seccomp/bpf"],
        native: Some(|scene| {
            // `r0 = 0; exit`.
            let code: [u64; 2] = [0xb7, 0x95];
            let license = c"MIT";
            // `BPF_PROG_TYPE_SOCKET_FILTER` and the number of instructions in one word, the code, the
            // licence, and no log.
            let attributes: [u64; 16] = {
                let mut words = [0; 16];
                words[0] = u64::from_ne_bytes(words_of([1, 2]));
                words[1] = code.as_ptr() as u64;
                words[2] = license.as_ptr() as u64;
                words
            };
            let place = attributes.as_ptr() as usize;
            let length = size_of_val(&attributes);
            hold(scene, libc::SYS_bpf, [PROGRAM_LOAD, place, length, 0, 0, 0], "bpf-prog")
        }),
        ..BPF
    },
];

/// Commands of the call, `linux/bpf.h`.
const MAP_CREATE: usize = 0;
const PROGRAM_LOAD: usize = 5;

/// Two words side by side as they lie in memory.
fn words_of([first, second]: [u32; 2]) -> [u8; 8] {
    let ([a, b, c, d], [e, f, g, h]) = (first.to_ne_bytes(), second.to_ne_bytes());
    [a, b, c, d, e, f, g, h]
}
