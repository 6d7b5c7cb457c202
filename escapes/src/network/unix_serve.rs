//! Serve a Unix socket to whoever is outside.

use super::answer;
use fixtures::watch::serve::SERVE;
use harness::escape::{Escape, Layer};
use harness::scene::Scene;
use harness::twin::Twin;
use std::io;
#[cfg(target_os = "linux")]
use std::os::linux::net::SocketAddrExt;
#[cfg(target_os = "linux")]
use std::os::unix::net::SocketAddr;
use std::os::unix::net::UnixListener;

const SERVED: Escape = Escape {
    techniques: &["NT-UNIXSERVE"],
    references: &[
        "https://man7.org/linux/man-pages/man7/unix.7.html",
        "https://app.opencve.io/cve/CVE-2026-21711",
    ],
    decoys: &[SERVE],
    twin: Twin::SocketPair,
    ..Escape::BLANK
};

pub(super) const ESCAPES: &[Escape] = &[
    Escape {
        id: "network/unix-serve",
        summary: "Serve a Unix socket in the run directory",
        stops: &[Layer::Landlock, Layer::Seccomp, Layer::Seatbelt, Layer::Hook],
        witnesses: &[
            "landlock/make-sock",
            "landlock/place-run",
            "seccomp/accept4",
            "seccomp/bind",
            "seccomp/listen",
            "seccomp/socket",
            "hook/socket.*",
        ],
        native: Some(path),
        python: Some(concat!(include_str!("answer.py"), include_str!("unix_serve.py"))),
        ..SERVED
    },
    #[cfg(target_os = "linux")]
    Escape {
        id: "network/unix-serve.abstract",
        summary: "Serve a Unix socket under an abstract name",
        stops: &[Layer::Seccomp, Layer::OtherNamespace, Layer::Hook],
        witnesses: &[
            "seccomp/accept4",
            "seccomp/bind",
            "seccomp/listen",
            "seccomp/socket",
            "hook/socket.*",
        ],
        native: Some(abstract_name),
        python: Some(concat!(include_str!("answer.py"), include_str!("unix_serve.abstract.py"))),
        ..SERVED
    },
];

/// The address holds a name without its directory, which is the working directory, for the path of a
/// run directory may be too long for an address.
fn path(scene: &Scene) -> io::Result<Vec<u8>> {
    let listener = UnixListener::bind("socket")?;
    let place = format!("unix {}", scene.run().join("socket").display());
    answer::call(scene, &place, move || Ok(listener.accept()?.0))
}

#[cfg(target_os = "linux")]
fn abstract_name(scene: &Scene) -> io::Result<Vec<u8>> {
    let name = format!("{}-service", scene.nonce());
    let listener = UnixListener::bind_addr(&SocketAddr::from_abstract_name(&name)?)?;
    answer::call(scene, &format!("abstract {name}"), move || Ok(listener.accept()?.0))
}
