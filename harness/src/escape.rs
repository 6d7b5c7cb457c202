//! What an escape is: a value that says what it tries, what it needs, who must stop it, and how.

use crate::scene::Scene;
use crate::twin::Twin;
use backends::policy::Limits;
use fixtures::decoy::Decoy;
pub use reports::record::{Bar, Finish};
use std::fmt;
use std::io;

/// One escape program. The folder of its file is its family and the path is its id.
#[derive(Clone, Copy)]
pub struct Escape {
    /// Stable name, never reused: `family/file`, or `family/file.variant` where one file holds the
    /// variants of one idea.
    pub id: &'static str,
    /// What it tries, in one sentence without a full stop.
    pub summary: &'static str,
    /// Rows of the technique catalogue that it covers, such as `FR-OPEN`.
    pub techniques: &'static [&'static str],
    /// Where the technique is known from: CVE, CWE, manual page, public report.
    pub references: &'static [&'static str],
    /// What holding it is worth.
    pub bar: Bar,
    /// The limit that it is to exceed, if it is one.
    pub limit: Option<Limit>,
    /// What the host must have, and the user must be, for the act to be possible at all.
    pub needs: &'static [Need],
    /// What the world holds for it, beyond the standard decoy tree.
    pub decoys: &'static [&'static dyn Decoy],
    /// The layers of which each alone is expected to stop it.
    pub stops: &'static [Layer],
    /// The rules of the policy that it witnesses: `layer/rule`, such as `landlock/read-file`.
    pub witnesses: &'static [&'static str],
    /// Why the act may be stopped although its calls succeed, if that is possible.
    pub silent: Option<&'static str>,
    /// The errnos that prove, in the control, that this host has no such surface.
    pub absent: &'static [i32],
    /// The permitted neighbour of the act.
    pub twin: Twin,
    /// The act as machine code.
    pub native: Option<Attempt>,
    /// The act as a Python program that defines `attempt(scene)`.
    pub python: Option<&'static str>,
}

/// The act itself. It returns the bytes that it won (which the stage then emits), or the error that
/// stopped it. It restores what it changes.
pub type Attempt = fn(&Scene) -> io::Result<Vec<u8>>;

impl Escape {
    /// An escape without content, to be completed by `..Escape::BLANK`.
    pub const BLANK: Self = Self {
        id: "",
        summary: "",
        techniques: &[],
        references: &[],
        bar: Bar::S1,
        limit: None,
        needs: &[],
        decoys: &[],
        stops: &[],
        witnesses: &[],
        silent: None,
        absent: &[libc::ENOSYS],
        twin: Twin::OwnFile,
        native: None,
        python: None,
    };

    /// The family: the folder of its file.
    pub fn family(&self) -> &'static str {
        self.id.split_once('/').map_or(self.id, |(family, _)| family)
    }

    /// The path of its file below the source folder, without extension.
    pub fn file(&self) -> &'static str {
        self.id.split_once('.').map_or(self.id, |(file, _)| file)
    }
}

impl fmt::Debug for Escape {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Escape").field("id", &self.id).finish_non_exhaustive()
    }
}

/// A limit that an act is to exceed. Its control and the backends that promise no limits run with the
/// wide limits of every trial; a backend that keeps limits runs with this one narrowed.
#[derive(Clone, Copy, Debug)]
pub struct Limit {
    /// Narrows the limit.
    pub narrow: fn(&mut Limits),
    /// The errnos by which it stops the act.
    pub errnos: &'static [i32],
    /// The signals by which it stops the act.
    pub signals: &'static [i32],
    /// The Python exceptions without errno by which it stops the act.
    pub exceptions: &'static [&'static str],
    /// How a program ends by it in its act.
    pub ends: &'static [Finish],
}

impl Limit {
    /// A limit without content, to be completed by `..Limit::BLANK`.
    pub const BLANK: Self =
        Self { narrow: |_wide| (), errnos: &[], signals: &[], exceptions: &[], ends: &[] };

    /// All that it says of itself, as text for a digest.
    pub(crate) fn told(&self) -> String {
        let mut limits = crate::setting::LIMITS;
        (self.narrow)(&mut limits);
        let Self { errnos, signals, exceptions, ends, .. } = self;
        format!("{limits:?} {errnos:?} {signals:?} {exceptions:?} {ends:?}")
    }
}

/// A layer that can stop an act by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Layer {
    /// Landlock rules and scopes.
    Landlock,
    /// The system-call filter with the exec fuse.
    Seccomp,
    /// Descriptors closed, environment scrubbed, capabilities dropped, `no_new_privs`.
    Hygiene,
    /// Limits that the launcher sets or watches.
    Limits,
    /// A mount namespace that holds only what is granted, with the user namespace that it stands in.
    MountNamespace,
    /// A PID, IPC or network namespace.
    OtherNamespace,
    /// The macOS sandbox.
    Seatbelt,
    /// The Python audit hook.
    Hook,
}

impl Layer {
    /// The word used in names, reports and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Landlock => "landlock",
            Self::Seccomp => "seccomp",
            Self::Hygiene => "hygiene",
            Self::Limits => "limits",
            Self::MountNamespace => "mount-namespace",
            Self::OtherNamespace => "other-namespace",
            Self::Seatbelt => "seatbelt",
            Self::Hook => "hook",
        }
    }
}

/// What an act needs to be possible at all. What a host or user lacks is decided by the plan, before
/// anything runs, and listed with its evidence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Need {
    /// The Linux kernel.
    Linux,
    /// The macOS kernel.
    MacOs,
    /// A processor of this architecture, as in `std::env::consts::ARCH`.
    Architecture(&'static str),
    /// This capability in the effective set, by number (`capability.h`) and name.
    Capability(u8, &'static str),
    /// The user is one of the host and not of a user namespace: its decoys are of the host.
    HostUser,
    /// There is a second user, to whom something may belong.
    SecondUser,
    /// The real user is not root.
    OrdinaryUser,
    /// This file exists.
    File(&'static str),
    /// This file is an image in the ELF format, and no script in front of one.
    Image(&'static str),
    /// This setting of the kernel, a file, says this.
    Setting(&'static str, &'static str),
    /// This executable is on the standard path.
    Program(&'static str),
}
