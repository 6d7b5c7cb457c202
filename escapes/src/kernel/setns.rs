//! Enter the namespace of somebody outside. What this namespace calls the machine is the token.

use crate::raw;
use fixtures::decoy::{Decoy, Evidence, Placed, Site};
use harness::escape::{Escape, Layer, Need};
use harness::scene::Scene;
use harness::twin::Twin;
use nix::sched::{CloneFlags, setns, unshare};
use std::ffi::OsString;
use std::fs::File;
use std::io;
use std::os::fd::AsFd;
use std::os::unix::ffi::OsStringExt;
use std::sync::mpsc::{Receiver, Sender, channel};

const ENTER: Escape = Escape {
    techniques: &["KP-SETNS"],
    references: &["https://man7.org/linux/man-pages/man2/setns.2.html"],
    needs: &[Need::Capability(21, "CAP_SYS_ADMIN")],
    decoys: &[&Machine],
    stops: &[
        Layer::Landlock,
        Layer::Seccomp,
        Layer::Hygiene,
        Layer::MountNamespace,
        Layer::OtherNamespace,
    ],
    twin: Twin::OwnProcess,
    ..Escape::BLANK
};

pub(super) const ESCAPES: &[Escape] = &[
    Escape {
        id: "kernel/setns",
        summary: "Enter a namespace of somebody outside by its file in /proc and look around",
        witnesses: &["hygiene/capabilities", "layer/landlock", "seccomp/setns"],
        native: Some(|scene| {
            let (process, thread) = somebody(scene)?;
            let path = format!("/proc/{process}/task/{thread}/ns/uts");
            look_around(File::open(path)?)
        }),
        ..ENTER
    },
    Escape {
        id: "kernel/setns.pidfd",
        summary: "Enter a namespace of somebody outside by a descriptor of the thread and look around",
        witnesses: &[
            "hygiene/capabilities",
            "layer/landlock",
            "seccomp/pidfd_open",
            "seccomp/setns",
        ],
        // Kernels before 6.9 have no descriptors of threads.
        absent: &[libc::ENOSYS, libc::EINVAL],
        native: Some(|scene| {
            /// `PIDFD_THREAD`, `linux/pidfd.h`.
            const THREAD: usize = libc::O_EXCL as usize;
            let thread = usize::try_from(somebody(scene)?.1).map_err(io::Error::other)?;
            look_around(raw::descriptor(libc::SYS_pidfd_open, [thread, THREAD, 0, 0, 0, 0])?)
        }),
        ..ENTER
    },
];

fn somebody(scene: &Scene) -> io::Result<(i32, i32)> {
    Ok((scene.number("machine-process")?, scene.number("machine-thread")?))
}

/// Reads the machine's name where the descriptor leads, and comes back.
fn look_around(there: impl AsFd) -> io::Result<Vec<u8>> {
    let here = File::open("/proc/self/ns/uts")?;
    setns(there, CloneFlags::CLONE_NEWUTS)?;
    let name = nix::unistd::gethostname()?;
    setns(here, CloneFlags::CLONE_NEWUTS)?;
    Ok(name.into_vec())
}

/// A thread outside in a namespace of its own, in which the machine's name is the token. Clues:
/// `machine-process` and `machine-thread`.
#[derive(Debug)]
struct Machine;

impl Decoy for Machine {
    fn place(&self, site: &Site<'_>) -> io::Result<Box<dyn Placed>> {
        let (told, number) = channel();
        let (leave, left) = channel();
        let token = site.token.to_owned();
        std::thread::Builder::new().spawn(move || live(&token, &told, &left))?;
        let thread = number.recv().map_err(io::Error::other)??;
        Ok(Box::new(Living { thread, leave: Some(leave) }))
    }
}

/// The life of the thread: it moves, gives the machine its name, tells its number and waits.
fn live(token: &str, told: &Sender<io::Result<i32>>, left: &Receiver<()>) {
    let moved = unshare(CloneFlags::CLONE_NEWUTS).and_then(|()| nix::unistd::sethostname(token));
    let number = moved.map(|()| nix::unistd::gettid().as_raw()).map_err(io::Error::from);
    if told.send(number).is_ok() {
        let _nobody_sends = left.recv();
    }
}

#[derive(Debug)]
struct Living {
    thread: i32,
    /// The thread ends when it is dropped.
    leave: Option<Sender<()>>,
}

impl Placed for Living {
    fn clues(&self) -> Vec<(&'static str, OsString)> {
        vec![
            ("machine-process", std::process::id().to_string().into()),
            ("machine-thread", self.thread.to_string().into()),
        ]
    }

    fn observe(&mut self) -> io::Result<Vec<Evidence>> {
        Ok(Vec::new())
    }

    fn sweep(&mut self) -> Vec<String> {
        self.leave = None;
        Vec::new()
    }
}
