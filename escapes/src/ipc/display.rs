//! Speak to the desktop of whoever is logged in: a display takes keys from any client and shows it every
//! screen, and a sound server opens the microphone.

use crate::network::service;
#[cfg(target_os = "linux")]
use fixtures::watch::abstract_name::ABSTRACT_STREAM;
use fixtures::watch::unix::UNIX_STREAM;
use harness::escape::{Escape, Layer};
use harness::twin::Twin;

const DISPLAY: Escape = Escape {
    techniques: &["IP-CLIPX11"],
    decoys: &[UNIX_STREAM],
    stops: &[Layer::Seccomp, Layer::MountNamespace, Layer::Seatbelt, Layer::Hook],
    twin: Twin::SocketPair,
    ..Escape::BLANK
};

pub(super) const ESCAPES: &[Escape] = &[
    Escape {
        id: "ipc/display",
        summary: "Open a connection to an X display, where every client may type for the others",
        references: &[
            "https://www.x.org/releases/X11R7.7/doc/xproto/x11protocol.html",
            "https://attack.mitre.org/techniques/T1056/001/",
            "https://github.com/Kilo-Org/kilocode/issues/11650",
        ],
        witnesses: &["seccomp/connect", "seccomp/socket", "hook/socket.*"],
        native: Some(|scene| service::tell(service::at_path(scene)?, X_SETUP)),
        python: Some(include_str!("display.py")),
        ..DISPLAY
    },
    #[cfg(target_os = "linux")]
    Escape {
        id: "ipc/display.abstract",
        summary: "Open a connection to an X display by the name that has no path",
        references: &["https://man.archlinux.org/man/Xserver.1", "CWE-732"],
        decoys: &[ABSTRACT_STREAM],
        stops: &[Layer::Landlock, Layer::Seccomp, Layer::OtherNamespace, Layer::Hook],
        witnesses: &["landlock/scope-abstract-unix-socket", "seccomp/connect", "seccomp/socket"],
        native: Some(|scene| service::tell(service::by_name(scene)?, X_SETUP)),
        ..DISPLAY
    },
    Escape {
        id: "ipc/display.wayland",
        summary: "Ask a Wayland compositor what it offers, to read the clipboard or the screen",
        references: &[
            "https://wayland.freedesktop.org/docs/html/ch04.html",
            "https://attack.mitre.org/techniques/T1115/",
        ],
        witnesses: &["seccomp/connect", "seccomp/socket"],
        native: Some(|scene| service::tell(service::at_path(scene)?, &registry())),
        ..DISPLAY
    },
];

/// The first message of a client: byte order `l`, version 11.0, no authorisation.
const X_SETUP: &[u8] = b"l\0\x0b\0\0\0\0\0\0\0\0\0";

/// `wl_display.get_registry`: object 1, request 1 in 12 bytes, new object 2, in the byte order of the
/// machine.
fn registry() -> Vec<u8> {
    [1_u32, 12 << 16 | 1, 2].iter().flat_map(|word| word.to_ne_bytes()).collect()
}
