//! Linux. What the backend `container` starts, and how, so that nothing of it can outlive the launch: a runtime
//! by itself, or `podman`, which starts one.

use super::podman;
use super::runtime::Runtime;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

/// Where programs are searched: never in a place that the environment names.
pub(super) const SEARCHED: &str = "/usr/local/bin:/usr/bin:/bin:/usr/local/sbin:/usr/sbin:/sbin";

/// What makes a container.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Engine {
    /// A runtime, started by itself.
    Direct(Runtime),
    /// `podman` (<https://podman.io>), told to use this runtime, which it finds by its own configuration.
    Podman(Runtime),
}

impl Engine {
    /// All of them, the one that starts fastest first.
    pub const ALL: [Self; 4] = [
        Self::Direct(Runtime::Crun),
        Self::Direct(Runtime::Runc),
        Self::Podman(Runtime::Crun),
        Self::Podman(Runtime::Runc),
    ];

    /// Its name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Direct(runtime) => runtime.name(),
            Self::Podman(Runtime::Crun) => "podman-crun",
            Self::Podman(Runtime::Runc) => "podman-runc",
        }
    }

    /// The program that a launch starts.
    pub fn program(self) -> &'static str {
        match self {
            Self::Direct(runtime) => runtime.name(),
            Self::Podman(_) => "podman",
        }
    }

    /// What makes the container in the end.
    pub fn runtime(self) -> Runtime {
        match self {
            Self::Direct(runtime) | Self::Podman(runtime) => runtime,
        }
    }

    /// What its containers are made of.
    pub(super) fn mechanism(self) -> &'static str {
        match self {
            Self::Direct(Runtime::Crun) => "crun namespaces+seccomp",
            Self::Direct(Runtime::Runc) => "runc namespaces+seccomp",
            Self::Podman(Runtime::Crun) => "podman crun namespaces+seccomp",
            Self::Podman(Runtime::Runc) => "podman runc namespaces+seccomp",
        }
    }

    /// The container's root, as the runtime finds it.
    pub(super) fn root(self) -> &'static str {
        match self {
            Self::Direct(_) => "root",
            Self::Podman(_) => podman::ROOT,
        }
    }

    /// Under which path the runtime finds a place of the host.
    pub(super) fn source(self, path: &Path) -> PathBuf {
        match self {
            Self::Direct(_) => path.to_owned(),
            Self::Podman(_) => podman::source(path),
        }
    }

    /// The first process of the launch's own namespaces, whose arguments are the program and its own.
    fn script(self) -> String {
        let groups = self.runtime().preparation();
        match self {
            Self::Direct(_) => format!("{groups}exec \"$@\""),
            Self::Podman(_) => format!("{}{groups}{}", podman::PREPARATION, podman::EXECUTION),
        }
    }
}

/// The programs of one launch, found on this host.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Installed {
    pub(super) engine: Engine,
    program: PathBuf,
    shell: PathBuf,
    pub(super) unshare: PathBuf,
    /// What a hook of podman is made of.
    pub(super) cat: Option<PathBuf>,
}

/// A program that a launch needs and that is not installed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no program {program:?} in {searched:?}")]
pub(super) struct Absent {
    program: &'static str,
    searched: OsString,
}

impl Installed {
    pub(super) fn find(engine: Engine, searched: &OsStr) -> Result<Self, Absent> {
        let find = |program| {
            find(program, searched).ok_or_else(|| Absent { program, searched: searched.to_owned() })
        };
        Ok(Self {
            engine,
            program: find(engine.program())?,
            shell: find("sh")?,
            unshare: find("unshare")?,
            cat: match engine {
                Engine::Direct(_) => None,
                Engine::Podman(_) => Some(find("cat")?),
            },
        })
    }

    /// The arguments of unshare(1), up to the end.
    ///
    /// Whatever kills unshare kills the first process of its pid namespace (`--kill-child`), and the kernel
    /// then kills everything in that namespace, the container with it: pid_namespaces(7). A runtime alone
    /// leaves its container running when it is killed, and an engine its monitor.
    pub(super) fn arguments(&self, bundle: &Path, name: &str) -> Vec<OsString> {
        let mut arguments: Vec<OsString> = [
            "--user",
            "--map-root-user",
            "--mount",
            "--pid",
            "--fork",
            "--kill-child",
            "--mount-proc",
            "--",
        ]
        .map(OsString::from)
        .into();
        arguments.extend([self.shell.clone().into(), "-c".into()]);
        arguments.extend([self.engine.script().into(), "sh".into()]);
        match self.engine {
            Engine::Direct(runtime) => {
                arguments.push(self.program.clone().into());
                if runtime == Runtime::Crun {
                    arguments.push("--cgroup-manager=disabled".into());
                }
                arguments.extend(["--root".into(), bundle.join("state").into()]);
                arguments.extend(["--log".into(), bundle.join(super::LOG).into()]);
                arguments.extend(["--log-format".into(), "json".into(), "run".into()]);
                arguments.extend(["--bundle".into(), bundle.into(), name.into()]);
            }
            Engine::Podman(runtime) => {
                arguments.extend([bundle.into(), self.program.clone().into()]);
                arguments.extend(podman::arguments(runtime, name));
            }
        }
        arguments
    }
}

/// The first program of that name, its links resolved.
pub(super) fn find(program: &str, searched: &OsStr) -> Option<PathBuf> {
    std::env::split_paths(searched)
        .filter(|folder| folder.is_absolute())
        .map(|folder| folder.join(program))
        .find(|candidate| candidate.is_file())
        .and_then(|found| found.canonicalize().ok())
}
