//! Let the kernel send the signal: make a process outside the owner of an own descriptor, and then make
//! something happen on it.

#[cfg(target_os = "linux")]
use super::victim;
use crate::raw;
use fixtures::watch::victim::VICTIM;
use harness::escape::{Escape, Layer};
use harness::scene::Scene;
use harness::twin::Twin;
#[cfg(target_os = "linux")]
use rustix::net::{SendFlags, send};
#[cfg(target_os = "linux")]
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
#[cfg(target_os = "macos")]
use std::os::fd::AsFd;
#[cfg(target_os = "linux")]
use std::os::fd::AsRawFd;
#[cfg(target_os = "linux")]
use std::os::unix::fs::OpenOptionsExt;
use std::os::unix::net::UnixStream;

const SIGIO: Escape = Escape {
    techniques: &["KP-SIGIO"],
    references: &[
        "https://man7.org/linux/man-pages/man2/fcntl.2.html",
        "https://cocalc.com/github/torvalds/linux/blob/master/security/landlock/errata/abi-6.h",
    ],
    decoys: &[VICTIM],
    stops: &[Layer::Landlock, Layer::Seccomp, Layer::OtherNamespace, Layer::Seatbelt],
    silent: Some("Landlock lets the owner be set and withholds the signal when it would be sent"),
    twin: Twin::SocketPair,
    ..Escape::BLANK
};

pub(super) const ESCAPES: &[Escape] = &[
    Escape {
        id: "process/sigio",
        summary: "Have the kernel signal a process outside when an own socket can be read",
        stops: &[
            Layer::Landlock,
            Layer::Seccomp,
            Layer::OtherNamespace,
            Layer::Seatbelt,
            Layer::Hook,
        ],
        witnesses: &["landlock/scope-signal", "seccomp/fcntl", "hook/fcntl.fcntl"],
        native: Some(|scene| readable(|near| own(near, scene.number("victim")?))),
        python: Some(include_str!("sigio.py")),
        ..SIGIO
    },
    Escape {
        id: "process/sigio.group",
        summary: "Have the kernel signal a process group outside when an own socket can be read",
        witnesses: &["landlock/scope-signal", "seccomp/fcntl"],
        native: Some(|scene| readable(|near| own(near, -scene.number::<i32>("victim")?))),
        ..SIGIO
    },
    #[cfg(target_os = "linux")]
    Escape {
        id: "process/sigio.extended",
        summary: "Have the kernel signal a thread outside that was named by F_SETOWN_EX",
        witnesses: &["landlock/scope-signal", "seccomp/fcntl"],
        native: Some(|scene| {
            // `struct f_owner_ex`: `F_OWNER_TID`, and the thread.
            let owner: [i32; 2] = [0, scene.number("victim")?];
            readable(|near| control(near, SET_OWNER_EXTENDED, owner.as_ptr() as usize))
        }),
        ..SIGIO
    },
    Escape {
        id: "process/sigio.ioctl",
        summary: "Have the kernel signal a process outside that was named by FIOSETOWN",
        stops: &[Layer::Landlock, Layer::Seccomp, Layer::OtherNamespace],
        witnesses: &["landlock/scope-signal", "seccomp/ioctl"],
        native: Some(|scene| readable(|near| own_by_ioctl(scene, near, FIOSETOWN))),
        ..SIGIO
    },
    Escape {
        id: "process/sigio.request",
        summary: "Have the kernel signal a process outside that was named by SIOCSPGRP",
        references: &["https://man7.org/linux/man-pages/man7/socket.7.html", "CWE-441"],
        witnesses: &["landlock/scope-signal", "seccomp/ioctl"],
        native: Some(|scene| readable(|near| own_by_ioctl(scene, near, SIOCSPGRP))),
        ..SIGIO
    },
    #[cfg(target_os = "linux")]
    Escape {
        id: "process/sigio.signal",
        summary: "Have the kernel send a signal of the program's choice to a process outside",
        witnesses: &["landlock/scope-signal", "seccomp/fcntl"],
        native: Some(|scene| {
            readable(|near| {
                control(near, SET_SIGNAL, libc::SIGTERM as usize)?;
                control(near, libc::F_SETOWN, victim::number(scene)?)
            })
        }),
        ..SIGIO
    },
    #[cfg(target_os = "linux")]
    Escape {
        id: "process/sigio.urgent",
        summary: "Have the kernel signal a process outside about urgent data on an own socket",
        witnesses: &["landlock/scope-signal", "seccomp/ioctl", "seccomp/sendto"],
        // A kernel without `CONFIG_AF_UNIX_OOB`.
        absent: &[libc::ENOSYS, libc::EOPNOTSUPP],
        native: Some(|scene| {
            let (near, far) = UnixStream::pair()?;
            own_by_ioctl(scene, &near, FIOSETOWN)?;
            send(far, b"!", SendFlags::OOB)?;
            Ok(Vec::new())
        }),
        ..SIGIO
    },
    #[cfg(target_os = "linux")]
    Escape {
        id: "process/sigio.directory",
        summary: "Have the kernel signal a process outside about a change of an own directory",
        techniques: &["KP-SIGIO", "FM-DNOTIFY"],
        witnesses: &["landlock/scope-signal", "seccomp/fcntl"],
        // A kernel without `CONFIG_DNOTIFY`.
        absent: &[libc::ENOSYS, libc::EINVAL],
        twin: Twin::OwnFile,
        native: Some(directory),
        ..SIGIO
    },
    #[cfg(target_os = "linux")]
    Escape {
        id: "process/sigio.lease",
        summary: "Have the kernel signal a process outside about a lease on an own file",
        techniques: &["KP-SIGIO", "FM-DNOTIFY"],
        witnesses: &["landlock/scope-signal", "seccomp/fcntl"],
        twin: Twin::OwnFile,
        native: Some(lease),
        ..SIGIO
    },
];

#[cfg(target_os = "linux")]
/// Whoever owns the descriptor of a directory is told when a file appears there.
fn directory(scene: &Scene) -> io::Result<Vec<u8>> {
    /// `DN_CREATE`, `linux/fcntl.h`.
    const CREATED: usize = 4;
    let folder = File::open(scene.run())?;
    control(&folder, libc::F_SETOWN, victim::number(scene)?)?;
    control(&folder, libc::F_NOTIFY, CREATED)?;
    File::create(scene.run().join("appeared"))?;
    Ok(Vec::new())
}

#[cfg(target_os = "linux")]
/// Whoever owns the descriptor that has a lease is told when somebody else wants the file.
fn lease(scene: &Scene) -> io::Result<Vec<u8>> {
    let path = scene.run().join("leased");
    File::create(&path)?;
    let leased = File::open(&path)?;
    control(&leased, libc::F_SETOWN, victim::number(scene)?)?;
    control(&leased, libc::F_SETLEASE, libc::F_RDLCK as usize)?;
    // Without waiting for the lease to be given back.
    let wanted = OpenOptions::new().write(true).custom_flags(libc::O_NONBLOCK).open(&path);
    match wanted {
        Err(error) if error.kind() == io::ErrorKind::WouldBlock => Ok(Vec::new()),
        Err(error) => Err(error),
        Ok(_granted) => Ok(Vec::new()),
    }
}

#[cfg(target_os = "linux")]
/// `asm-generic/fcntl.h`; the C library's binding lacks them.
const SET_SIGNAL: i32 = 10;
#[cfg(target_os = "linux")]
const SET_OWNER_EXTENDED: i32 = 15;

/// Requests of ioctl(2) that name the owner of a socket: `asm-generic/sockios.h`.
#[cfg(target_os = "linux")]
const FIOSETOWN: usize = 0x8901;
#[cfg(target_os = "linux")]
const SIOCSPGRP: usize = 0x8902;
/// The same: `_IOW('f', 124, int)` of sys/filio.h and `_IOW('s', 8, int)` of sys/sockio.h. XNU answers the
/// first before it knows of what kind the descriptor is, the second as the socket that it is.
#[cfg(target_os = "macos")]
const FIOSETOWN: usize = 0x8004_667c;
#[cfg(target_os = "macos")]
const SIOCSPGRP: usize = 0x8004_7308;

/// Gives one end of a socket pair to an owner, asks for signals, and makes that end readable.
fn readable(name_owner: impl FnOnce(&UnixStream) -> io::Result<()>) -> io::Result<Vec<u8>> {
    let (near, mut far) = UnixStream::pair()?;
    name_owner(&near)?;
    ask_for_signals(&near)?;
    far.write_all(b"!")?;
    Ok(Vec::new())
}

#[cfg(target_os = "linux")]
fn control(descriptor: &impl AsRawFd, command: i32, argument: usize) -> io::Result<()> {
    let arguments = [descriptor.as_raw_fd() as usize, command as usize, argument, 0, 0, 0];
    raw::call(libc::SYS_fcntl, arguments).map(|_done| ())
}

#[cfg(target_os = "linux")]
fn own_by_ioctl(scene: &Scene, socket: &UnixStream, request: usize) -> io::Result<()> {
    let victim: i32 = scene.number("victim")?;
    let socket = socket.as_raw_fd() as usize;
    raw::call(libc::SYS_ioctl, [socket, request, &raw const victim as usize, 0, 0, 0])?;
    Ok(())
}

/// Makes a process, or by a negative number a group, the owner of a socket.
#[cfg(target_os = "linux")]
fn own(socket: &UnixStream, owner: i32) -> io::Result<()> {
    control(socket, libc::F_SETOWN, owner as usize)
}

#[cfg(target_os = "linux")]
fn ask_for_signals(socket: &UnixStream) -> io::Result<()> {
    control(socket, libc::F_SETFL, libc::O_ASYNC as usize)
}

#[cfg(target_os = "macos")]
fn own(socket: &UnixStream, owner: i32) -> io::Result<()> {
    raw::owner::set(socket.as_fd(), owner)
}

#[cfg(target_os = "macos")]
fn ask_for_signals(socket: &UnixStream) -> io::Result<()> {
    raw::owner::ask_for_signals(socket.as_fd())
}

#[cfg(target_os = "macos")]
fn own_by_ioctl(scene: &Scene, socket: &UnixStream, request: usize) -> io::Result<()> {
    raw::owner::set_by_request(socket.as_fd(), scene.number("victim")?, request)
}
