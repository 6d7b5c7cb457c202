//! Set the name of the host. It is set to what it is, and whoever waits for the name is told by the kernel
//! that somebody set it.

use super::host_wide::Alone;
use crate::raw;
use fixtures::decoy::{Decoy, Evidence, EvidenceKind, Placed, Site};
use harness::escape::{Escape, Layer, Need};
use harness::twin::Twin;
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use std::ffi::OsString;
use std::fs::{self, File};
use std::io;
use std::os::fd::AsFd;

const SET: Escape = Escape {
    techniques: &["KP-HOSTNAME"],
    references: &[
        "https://man7.org/linux/man-pages/man2/sethostname.2.html",
        "https://github.com/NVIDIA/OpenShell/issues/578",
        "CWE-250",
    ],
    needs: &[Need::Capability(21, "CAP_SYS_ADMIN")],
    stops: &[Layer::Seccomp, Layer::Hygiene, Layer::OtherNamespace],
    twin: Twin::OwnProcess,
    ..Escape::BLANK
};

pub(super) const ESCAPES: &[Escape] = &[
    Escape {
        id: "kernel/host-name",
        summary: "Set the name of the host",
        decoys: &[&Watched("hostname")],
        stops: &[Layer::Seccomp, Layer::Hygiene, Layer::OtherNamespace, Layer::Hook],
        witnesses: &["seccomp/sethostname", "hygiene/capabilities", "hook/socket.sethostname"],
        native: Some(|_scene| {
            nix::unistd::sethostname(nix::unistd::gethostname()?)?;
            Ok(Vec::new())
        }),
        python: Some(include_str!("host_name.py")),
        ..SET
    },
    Escape {
        id: "kernel/host-name.domain",
        summary: "Set the name of the host's domain",
        references: &["https://man7.org/linux/man-pages/man2/setdomainname.2.html", "CWE-250"],
        decoys: &[&Watched("domainname")],
        witnesses: &["seccomp/setdomainname", "hygiene/capabilities"],
        native: Some(|_scene| {
            let system = nix::sys::utsname::uname()?;
            let name = system.domainname();
            let place = name.as_encoded_bytes().as_ptr() as usize;
            raw::call(libc::SYS_setdomainname, [place, name.len(), 0, 0, 0, 0])?;
            Ok(Vec::new())
        }),
        ..SET
    },
    Escape {
        id: "kernel/host-name.setting",
        summary: "Set the name of the host by its file in /proc",
        references: &["https://man7.org/linux/man-pages/man5/proc_sys_kernel.5.html"],
        decoys: &[&Watched("hostname")],
        // The file belongs to root, who may write to it without any capability.
        stops: &[Layer::Landlock, Layer::MountNamespace, Layer::OtherNamespace, Layer::Hook],
        witnesses: &["landlock/write-file", "hook/open"],
        twin: Twin::OwnFile,
        native: Some(|_scene| {
            let name = nix::sys::utsname::uname()?.nodename().to_owned();
            fs::write("/proc/sys/kernel/hostname", name.as_encoded_bytes())?;
            Ok(Vec::new())
        }),
        ..SET
    },
];

/// A file of `/proc/sys/kernel` that tells whoever polls it that it was set, even to what it was.
#[derive(Debug)]
struct Watched(&'static str);

impl Decoy for Watched {
    fn place(&self, _site: &Site<'_>) -> io::Result<Box<dyn Placed>> {
        let alone = Alone::wait(self.0)?;
        let file = File::open(format!("/proc/sys/kernel/{}", self.0))?;
        Ok(Box::new(Waiting { name: self.0, alone: Some(alone), file }))
    }
}

#[derive(Debug)]
struct Waiting {
    name: &'static str,
    alone: Option<Alone>,
    file: File,
}

impl Placed for Waiting {
    fn clues(&self) -> Vec<(&'static str, OsString)> {
        Vec::new()
    }

    fn observe(&mut self) -> io::Result<Vec<Evidence>> {
        let mut waiting = [PollFd::new(self.file.as_fd(), PollFlags::POLLPRI)];
        poll(&mut waiting, PollTimeout::ZERO)?;
        let set = waiting.iter().any(|one| {
            one.revents().is_some_and(|events| events.contains(PollFlags::POLLPRI))
        });
        let detail = format!("somebody set the {} of the host", self.name);
        let change = Evidence { kind: EvidenceKind::ObjectChanged, detail };
        Ok(set.then_some(change).into_iter().collect())
    }

    fn sweep(&mut self) -> Vec<String> {
        self.alone = None;
        Vec::new()
    }
}
