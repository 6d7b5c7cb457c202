//! Linux. The container runtimes that the backend `container` knows, and how each is started so that nothing
//! of it can outlive the launch.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

/// Where runtimes are searched: never in a place that the environment names.
pub(super) const SEARCHED: &str = "/usr/local/bin:/usr/bin:/bin:/usr/local/sbin:/usr/sbin:/sbin";

/// A runtime that makes a container from a bundle, as the OCI runtime specification describes one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Runtime {
    /// `crun` (<https://github.com/containers/crun>).
    Crun,
    /// `runc` (<https://github.com/opencontainers/runc>).
    Runc,
}

impl Runtime {
    /// All of them, the one that starts fastest first.
    pub const ALL: [Self; 2] = [Self::Crun, Self::Runc];

    /// Its program, which is its name too.
    pub fn name(self) -> &'static str {
        match self {
            Self::Crun => "crun",
            Self::Runc => "runc",
        }
    }

    /// What its containers are made of.
    pub(super) fn mechanism(self) -> &'static str {
        match self {
            Self::Crun => "crun namespaces+seccomp",
            Self::Runc => "runc namespaces+seccomp",
        }
    }

    /// Whether it makes no container without `/proc` in it: it closes descriptors by that list.
    pub(super) fn needs_proc(self) -> bool {
        match self {
            Self::Crun => false,
            Self::Runc => true,
        }
    }

    /// The smallest bound of address space, in bytes, with which a program can be started: a runtime sets it
    /// before it compiles the filter. `runc` is written in Go, whose runtime reserves more than a gigabyte.
    pub(super) fn least_address_space(self) -> u64 {
        match self {
            Self::Crun => 1 << 26,
            Self::Runc => 1 << 32,
        }
    }

    /// What is done in the launch's own mount namespace before the runtime is executed: it must not find a
    /// control group that it could write. It may not make one, and as root it would leave one behind.
    ///
    /// `crun` refuses hosts with two versions of control groups unless it sees none; `runc` looks for the
    /// mounts that are listed, and takes a read-only one as none of its business.
    fn preparation(self) -> &'static str {
        match self {
            Self::Crun => {
                "if [ -d /sys/fs/cgroup ]; then mount -t tmpfs -o ro none /sys/fs/cgroup || exit 125; fi; exec \"$@\""
            }
            Self::Runc => {
                "while read -r _ _ _ _ at _; do case $at in /sys/fs/cgroup | /sys/fs/cgroup/*) mount -o remount,bind,ro,nosuid,nodev,noexec \"$at\" || exit 125 ;; esac; done < /proc/self/mountinfo; exec \"$@\""
            }
        }
    }
}

/// The programs of one launch, found on this host.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Installed {
    pub(super) runtime: Runtime,
    program: PathBuf,
    shell: PathBuf,
    pub(super) unshare: PathBuf,
}

/// A program that a launch needs and that is not installed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no program {program:?} in {searched:?}")]
pub(super) struct Absent {
    program: &'static str,
    searched: OsString,
}

impl Installed {
    pub(super) fn find(runtime: Runtime, searched: &OsStr) -> Result<Self, Absent> {
        let find = |program| {
            find(program, searched).ok_or_else(|| Absent { program, searched: searched.to_owned() })
        };
        Ok(Self {
            runtime,
            program: find(runtime.name())?,
            shell: find("sh")?,
            unshare: find("unshare")?,
        })
    }

    /// The arguments of unshare(1), up to the end.
    ///
    /// Whatever kills unshare kills the first process of its pid namespace (`--kill-child`), and the kernel
    /// then kills everything in that namespace, the container with it: pid_namespaces(7). A runtime alone
    /// leaves its container running when it is killed.
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
        arguments.extend([self.runtime.preparation().into(), "sh".into()]);
        arguments.push(self.program.clone().into());
        if self.runtime == Runtime::Crun {
            arguments.push("--cgroup-manager=disabled".into());
        }
        arguments.extend(["--root".into(), bundle.join("state").into()]);
        arguments.extend(["--log".into(), bundle.join(super::LOG).into()]);
        arguments.extend(["--log-format".into(), "json".into(), "run".into()]);
        arguments.extend(["--bundle".into(), bundle.into(), name.into()]);
        arguments
    }
}

/// The first program of that name, its links resolved.
fn find(program: &str, searched: &OsStr) -> Option<PathBuf> {
    std::env::split_paths(searched)
        .filter(|folder| folder.is_absolute())
        .map(|folder| folder.join(program))
        .find(|candidate| candidate.is_file())
        .and_then(|found| found.canonicalize().ok())
}
