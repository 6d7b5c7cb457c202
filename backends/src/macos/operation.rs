//! The operations that Seatbelt decides, and which one answers for which: each operation has a parent,
//! whose rules decide where its own say nothing.
//!
//! The names and their parents are those of Apple's language prelude (`sbpl_1.scm`) as public research
//! of macOS 13 to 15 lists them. Not all of its 196 operations stand here: those that a profile of this
//! project names, and those that an escape needs.

use std::fmt;

/// What a rule does, and what an access gets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Action {
    /// It happens.
    Allow,
    /// It fails with `EPERM`.
    Deny,
}

impl Action {
    /// The word of the language.
    pub fn word(self) -> &'static str {
        match self {
            Self::Allow => "allow",
            Self::Deny => "deny",
        }
    }

    /// The other one.
    #[must_use]
    pub fn opposite(self) -> Self {
        match self {
            Self::Allow => Self::Deny,
            Self::Deny => Self::Allow,
        }
    }
}

/// One operation, as its place in the table.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Operation(usize);

/// Name and parent. The root is its own parent.
const TABLE: &[(&str, &str)] = &[
    ("default", "default"),
    ("appleevent-send", "default"),
    ("darwin-notification-post", "default"),
    ("distributed-notification-post", "default"),
    ("dynamic-code-generation", "default"),
    ("file*", "default"),
    ("file-chroot", "file*"),
    ("file-clone", "file*"),
    ("file-ioctl", "file*"),
    ("file-issue-extension", "file*"),
    ("file-link", "file*"),
    ("file-lock", "file*"),
    ("file-map-executable", "file*"),
    ("file-mknod", "file*"),
    ("file-mount", "file*"),
    ("file-read*", "file*"),
    ("file-read-data", "file-read*"),
    ("file-read-metadata", "file-read*"),
    ("file-read-xattr", "file-read*"),
    ("file-revoke", "file*"),
    ("file-search", "file*"),
    ("file-test-existence", "file*"),
    ("file-unmount", "file*"),
    ("file-write*", "file*"),
    ("file-write-acl", "file-write*"),
    ("file-write-create", "file-write*"),
    ("file-write-data", "file-write*"),
    ("file-write-finderinfo", "file-write*"),
    ("file-write-flags", "file-write*"),
    ("file-write-mode", "file-write*"),
    ("file-write-owner", "file-write*"),
    ("file-write-setugid", "file-write*"),
    ("file-write-times", "file-write*"),
    ("file-write-unlink", "file-write*"),
    ("file-write-xattr", "file-write*"),
    ("generic-issue-extension", "default"),
    ("iokit*", "default"),
    ("iokit-get-properties", "iokit*"),
    ("iokit-open*", "iokit*"),
    ("iokit-open-service", "iokit-open*"),
    ("iokit-open-user-client", "iokit-open*"),
    ("iokit-set-properties", "iokit*"),
    ("ipc*", "default"),
    ("ipc-posix*", "ipc*"),
    ("ipc-posix-sem*", "ipc-posix*"),
    ("ipc-posix-shm*", "ipc-posix*"),
    ("ipc-posix-shm-read-data", "ipc-posix-shm*"),
    ("ipc-posix-shm-write-create", "ipc-posix-shm*"),
    ("ipc-posix-shm-write-data", "ipc-posix-shm*"),
    ("ipc-posix-shm-write-unlink", "ipc-posix-shm*"),
    ("ipc-sysv*", "ipc*"),
    ("ipc-sysv-msg", "ipc-sysv*"),
    ("ipc-sysv-sem", "ipc-sysv*"),
    ("ipc-sysv-shm", "ipc-sysv*"),
    ("job-creation", "default"),
    ("lsopen", "default"),
    ("mach*", "default"),
    ("mach-bootstrap", "mach*"),
    ("mach-cross-domain-lookup", "mach*"),
    ("mach-lookup", "mach*"),
    ("mach-priv*", "mach*"),
    ("mach-priv-host-port", "mach-priv*"),
    ("mach-priv-task-port", "mach-priv*"),
    ("mach-register", "mach*"),
    ("mach-task*", "mach*"),
    ("mach-task-name", "mach-task*"),
    ("network*", "default"),
    ("network-bind", "network-inbound"),
    ("network-inbound", "network*"),
    ("network-outbound", "network*"),
    ("nvram*", "default"),
    ("process*", "default"),
    ("process-exec*", "process*"),
    ("process-exec-interpreter", "process-exec*"),
    ("process-fork", "process*"),
    ("process-info*", "process*"),
    ("process-info-codesignature", "process-info*"),
    ("process-info-listpids", "process-info*"),
    ("process-info-pidfdinfo", "process-info*"),
    ("process-info-pidinfo", "process-info*"),
    ("process-info-rusage", "process-info*"),
    ("process-info-setcontrol", "process-info*"),
    ("pseudo-tty", "default"),
    ("signal", "default"),
    ("socket-ioctl", "default"),
    ("syscall*", "default"),
    ("syscall-unix", "syscall*"),
    ("sysctl*", "default"),
    ("sysctl-read", "sysctl*"),
    ("sysctl-write", "sysctl*"),
    ("system*", "default"),
    ("system-fcntl", "system*"),
    ("system-fsctl", "system*"),
    ("system-mac*", "system*"),
    ("system-mac-syscall", "system-mac*"),
    ("system-privilege", "system*"),
    ("system-sched", "system*"),
    ("system-socket", "system*"),
    ("user-preference*", "default"),
    ("user-preference-read", "user-preference*"),
    ("user-preference-write", "user-preference*"),
];

/// The operations that do not ask their parent but allow of their own accord, so that `(deny default)`
/// leaves them open: a profile must name each. Apple's own profiles for daemons name some; the others are
/// marked so in the table of `libsandbox` of macOS 10.14, or are left open by profiles of later systems that
/// were read back from their compiled form. What is named and was not open is closed twice, which harms nobody.
/// Named is only what is an operation from 10.14 to 14: a name that a system does not know is an error.
const OPEN: [&str; 16] = [
    "darwin-notification-post",
    "dynamic-code-generation",
    "file-clone",
    "file-link",
    "file-lock",
    "file-map-executable",
    "file-test-existence",
    "iokit-get-properties",
    "mach-cross-domain-lookup",
    "mach-priv*",
    "nvram*",
    "process-info*",
    "process-info-codesignature",
    "socket-ioctl",
    "system-fcntl",
    "system-privilege",
];

/// The operation that allows of its own accord and must go on: whatever a program does is a system call. A
/// profile denies some by number.
const CALLS: &str = "syscall-unix";

/// Other names of the same operation.
const ALIASES: [(&str, &str); 4] = [
    ("process-exec", "process-exec*"),
    ("ipc-posix-shm", "ipc-posix-shm*"),
    ("ipc-posix-sem", "ipc-posix-sem*"),
    ("iokit-open", "iokit-open*"),
];

impl Operation {
    /// The root, whose rules decide where no other does.
    pub const DEFAULT: Self = Self(0);

    /// The operation of this name, or of this alias.
    pub fn named(name: &str) -> Option<Self> {
        let name = ALIASES.iter().find(|(alias, _)| *alias == name).map_or(name, |(_, name)| name);
        TABLE.iter().position(|(known, _)| *known == name).map(Self)
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        TABLE.get(self.0).map_or("default", |(name, _)| name)
    }

    /// The operation that is asked next; none for the root.
    pub fn parent(self) -> Option<Self> {
        let (_, parent) = TABLE.get(self.0)?;
        Self::named(parent).filter(|parent| *parent != self)
    }

    /// What it does of its own accord, without asking its parent, where no rule names it.
    pub fn own_action(self) -> Option<Action> {
        let allows = OPEN.contains(&self.name()) || self.name() == CALLS;
        allows.then_some(Action::Allow)
    }

    /// Itself and all that it asks, up to the root.
    pub fn line(self) -> impl Iterator<Item = Self> {
        std::iter::successors(Some(self), |operation| operation.parent())
    }

    /// Itself and all whose rules can speak of it: up to the first that answers of its own accord.
    pub fn asked(self) -> impl Iterator<Item = Self> {
        let mut ended = false;
        self.line().take_while(move |operation| {
            let before = ended;
            ended |= operation.own_action().is_some();
            !before
        })
    }

    /// All operations of the table.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..TABLE.len()).map(Self)
    }

    /// The operations that `(deny default)` leaves open.
    pub fn open() -> impl Iterator<Item = Self> {
        OPEN.iter().filter_map(|name| Self::named(name))
    }
}

impl fmt::Debug for Operation {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_parent_is_in_the_table_and_every_line_ends_at_the_root() {
        for (name, parent) in TABLE {
            let operation = Operation::named(name).unwrap();
            assert!(Operation::named(parent).is_some(), "{parent}");
            assert_eq!(operation.line().last(), Some(Operation::DEFAULT), "{name}");
        }
    }

    #[test]
    fn every_alias_and_every_open_operation_is_one_of_the_table() {
        assert_eq!(Operation::open().count(), OPEN.len());
        for (alias, name) in ALIASES {
            assert_eq!(Operation::named(alias), Operation::named(name));
        }
        assert_eq!(Operation::named("file-fly"), None);
    }
}
