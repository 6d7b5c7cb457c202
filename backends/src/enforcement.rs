//! Everything that will be told to the kernel, as plain data: the one thing to print, to hash, and to
//! weaken. A policy is lowered to it; nothing is applied that does not stand here.

use crate::linux::seccomp::Filter;
use crate::policy::{Identity, Kind, Limits, Place};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// What confines one program.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Enforcement {
    /// The mount namespace, where one was asked for.
    pub view: Option<View>,
    /// Landlock: which rights are handled, and where they are given back.
    pub landlock: Option<Landlock>,
    /// The system call filter.
    pub seccomp: Option<Filter>,
    /// What the launcher leaves behind.
    pub hygiene: Hygiene,
    /// What the program may use.
    pub limits: Limits,
}

/// A mount namespace that holds nothing but these places, mount_namespaces(7). It stands in a user
/// namespace of its own, so that no privilege is needed to make it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct View {
    /// What is shown, each place under its own path.
    pub places: BTreeMap<Place, Shown>,
    /// Symbolic links outside the places that lead into them, with their text: the names under which
    /// programs look for what they are granted, such as `/lib64`.
    pub links: BTreeMap<String, String>,
}

/// How a place is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Shown {
    /// What the place is.
    pub kind: Kind,
    /// Whether it is mounted for writing.
    pub writable: bool,
}

/// A Landlock ruleset, landlock(7).
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Landlock {
    /// File rights that are denied unless a rule gives them.
    pub handled_files: BTreeSet<FileRight>,
    /// Network rights that are denied: no rule gives any.
    pub handled_network: BTreeSet<NetworkRight>,
    /// What is kept inside the sandbox.
    pub scopes: BTreeSet<Scope>,
    /// Where file rights are given.
    pub rules: BTreeMap<Place, PathRule>,
}

/// The rights that are given on one place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PathRule {
    /// What the place is.
    pub kind: Kind,
    /// The rights on it and on everything beneath.
    pub rights: BTreeSet<FileRight>,
    /// What must still stand there when the rule is made; it is no part of the artefact.
    #[serde(skip)]
    pub identity: Option<Identity>,
}

/// A file right of Landlock, `LANDLOCK_ACCESS_FS_*`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
#[expect(missing_docs, reason = "the names are those of landlock(7)")]
pub enum FileRight {
    Execute,
    WriteFile,
    ReadFile,
    ReadDir,
    RemoveDir,
    RemoveFile,
    MakeChar,
    MakeDir,
    MakeReg,
    MakeSock,
    MakeFifo,
    MakeBlock,
    MakeSym,
    Refer,
    Truncate,
    IoctlDev,
}

impl FileRight {
    /// All rights of ABI 5 and later.
    pub const ALL: [Self; 16] = [
        Self::Execute,
        Self::WriteFile,
        Self::ReadFile,
        Self::ReadDir,
        Self::RemoveDir,
        Self::RemoveFile,
        Self::MakeChar,
        Self::MakeDir,
        Self::MakeReg,
        Self::MakeSock,
        Self::MakeFifo,
        Self::MakeBlock,
        Self::MakeSym,
        Self::Refer,
        Self::Truncate,
        Self::IoctlDev,
    ];
}

/// A network right of Landlock, `LANDLOCK_ACCESS_NET_*` (ABI 4).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
#[expect(missing_docs, reason = "the names are those of landlock(7)")]
pub enum NetworkRight {
    BindTcp,
    ConnectTcp,
}

/// A scope of Landlock, `LANDLOCK_SCOPE_*` (ABI 6).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
#[expect(missing_docs, reason = "the names are those of landlock(7)")]
pub enum Scope {
    AbstractUnixSocket,
    Signal,
}

/// What the launcher does besides rules: each step can be taken away alone.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Hygiene {
    /// The program dies with the thread that started its child (`PR_SET_PDEATHSIG`): the one that launched it, or for
    /// a child that waited one that lives as long as the host.
    pub die_with_launcher: bool,
    /// The program has a session of its own and no controlling terminal (`setsid`).
    pub own_session: bool,
    /// No execution gives privileges (`PR_SET_NO_NEW_PRIVS`).
    pub no_new_privileges: bool,
    /// All capability sets are emptied.
    pub drop_capabilities: bool,
    /// Every descriptor above the three streams is closed.
    pub close_descriptors: bool,
    /// The filter lets through the one `execveat` that carries the key of the launch, which nobody keeps.
    pub execute_once: bool,
    /// Neither a file nor a pipe gets a core dump.
    pub no_core_dump: bool,
    /// The program takes a small part of the signals and timers that may wait for all processes of its user
    /// together (`RLIMIT_SIGPENDING`).
    pub few_pending_signals: bool,
    /// The program runs before others at no place where its launcher may: no real-time policy, no negative
    /// niceness, no real-time class at the disk, no score that spares it when memory runs out. All of them are
    /// inherited.
    pub ordinary_priority: bool,
    /// The environment of the program.
    pub environment: Environment,
}

/// Where the environment of a program comes from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Environment {
    /// The launcher's own.
    Inherited,
    /// Exactly these variables.
    Exactly(BTreeMap<String, String>),
}

impl Enforcement {
    /// Nothing but limits: a bare child process.
    pub fn bare(limits: Limits) -> Self {
        let hygiene = Hygiene {
            die_with_launcher: true,
            own_session: true,
            no_new_privileges: false,
            drop_capabilities: false,
            close_descriptors: false,
            execute_once: false,
            no_core_dump: false,
            few_pending_signals: false,
            ordinary_priority: false,
            environment: Environment::Inherited,
        };
        Self { view: None, landlock: None, seccomp: None, hygiene, limits }
    }

    /// The bytes that stand for this enforcement in a digest: canonical JSON, as for policies.
    pub fn artefact(&self) -> Vec<u8> {
        serde_json::json!(self).to_string().into_bytes()
    }
}
