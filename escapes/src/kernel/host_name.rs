//! Set the name of the host. It is set to what it is, and whoever waits for the name is told by the kernel
//! that somebody set it.

use super::host_wide::Alone;
use crate::raw;
use fixtures::decoy::{Decoy, EvidenceKind, Placed, Site};
use fixtures::watch::looking::{Looking, Question};
use harness::escape::{Escape, Layer, Need};
use harness::scene::Scene;
use harness::twin::Twin;
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
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
        witnesses: &["hygiene/capabilities", "seccomp/sethostname"],
        native: Some(|scene| {
            nix::unistd::sethostname(nix::unistd::gethostname()?)?;
            shown(scene)
        }),
        python: Some(include_str!("host_name.py")),
        ..SET
    },
    Escape {
        id: "kernel/host-name.domain",
        summary: "Set the name of the host's domain",
        references: &["https://man7.org/linux/man-pages/man2/setdomainname.2.html", "CWE-250"],
        decoys: &[&Watched("domainname")],
        witnesses: &["hygiene/capabilities", "seccomp/setdomainname"],
        native: Some(|scene| {
            let system = nix::sys::utsname::uname()?;
            let name = system.domainname();
            let place = name.as_encoded_bytes().as_ptr() as usize;
            raw::call(libc::SYS_setdomainname, [place, name.len(), 0, 0, 0, 0])?;
            shown(scene)
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
        witnesses: &["landlock/truncate", "landlock/write-file"],
        twin: Twin::OwnFile,
        native: Some(|scene| {
            let name = nix::sys::utsname::uname()?.nodename().to_owned();
            fs::write("/proc/sys/kernel/hostname", name.as_encoded_bytes())?;
            shown(scene)
        }),
        ..SET
    },
];

const CLAIM: &str = "name set";

fn shown(scene: &Scene) -> io::Result<Vec<u8>> {
    scene.show(CLAIM)?;
    Ok(Vec::new())
}

/// A file of `/proc/sys/kernel` that tells whoever polls it that it was set, even to what it was. It tells
/// so in every namespace, so the watcher looks in whose namespace the program is.
#[derive(Debug)]
struct Watched(&'static str);

impl Decoy for Watched {
    fn place(&self, _site: &Site<'_>) -> io::Result<Box<dyn Placed>> {
        let _alone = Alone::wait(self.0)?;
        let file = File::open(format!("/proc/sys/kernel/{}", self.0))?;
        Ok(Box::new(Looking::new(Waiting { name: self.0, _alone, file })))
    }
}

#[derive(Debug)]
struct Waiting {
    name: &'static str,
    _alone: Alone,
    file: File,
}

impl Waiting {
    fn was_set(&self) -> io::Result<bool> {
        let mut waiting = [PollFd::new(self.file.as_fd(), PollFlags::POLLPRI)];
        poll(&mut waiting, PollTimeout::ZERO)?;
        let urgent = |one: &PollFd<'_>| {
            one.revents().is_some_and(|events| events.contains(PollFlags::POLLPRI))
        };
        Ok(waiting.iter().any(urgent))
    }
}

/// Whether every process with the nonce in its command line has the names of this host.
fn in_our_namespace(nonce: &str) -> io::Result<bool> {
    let ours = fs::read_link("/proc/self/ns/uts")?;
    for entry in fs::read_dir("/proc")? {
        let process = entry?.path();
        // What is no process, or has ended, has neither.
        let line = fs::read(process.join("cmdline")).unwrap_or_default();
        let told = line.windows(nonce.len()).any(|part| part == nonce.as_bytes());
        if told && fs::read_link(process.join("ns/uts"))? != ours {
            return Ok(false);
        }
    }
    Ok(true)
}

impl Question for Waiting {
    const SEEN: EvidenceKind = EvidenceKind::ObjectChanged;

    fn look(&mut self, nonce: &str, claim: &str) -> io::Result<Option<String>> {
        if claim != CLAIM {
            return Ok(None);
        }
        let seen = self.was_set()? && in_our_namespace(nonce)?;
        Ok(seen.then(|| format!("somebody set the {} of the host", self.name)))
    }
}
