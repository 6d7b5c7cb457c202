//! Linux. The container runtimes that the backend `container` knows, and what each needs.

/// A runtime that makes a container from a bundle, as the OCI runtime specification describes one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Runtime {
    /// `crun` (<https://github.com/containers/crun>).
    Crun,
    /// `runc` (<https://github.com/opencontainers/runc>).
    Runc,
}

impl Runtime {
    /// Its program, which is its name too.
    pub fn name(self) -> &'static str {
        match self {
            Self::Crun => "crun",
            Self::Runc => "runc",
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
    pub(super) fn preparation(self) -> &'static str {
        match self {
            Self::Crun => {
                "if [ -d /sys/fs/cgroup ]; then mount -t tmpfs -o ro none /sys/fs/cgroup || exit 125; fi; "
            }
            Self::Runc => {
                "while read -r _ _ _ _ at _; do case $at in /sys/fs/cgroup | /sys/fs/cgroup/*) mount -o remount,bind,ro,nosuid,nodev,noexec \"$at\" || exit 125 ;; esac; done < /proc/self/mountinfo; "
            }
        }
    }
}
