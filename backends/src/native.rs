//! Linux. The backend `native`: Landlock, the system call filter with the execution fuse, and hygiene.

use crate::layered::{Layered, strict_filter};
use crate::linux::lower;
use crate::linux::view::view;
use crate::protection::Protection;

/// What Landlock and seccomp cannot hide: paths outside can be looked at, not opened.
const METADATA: &str = "Landlock has no right for looking at a path (landlock-lsm/linux#11) and the loader needs these calls: only a mount namespace hides that a path exists";

/// Nor that a program is told which host it is on.
const HOST: &str = "programs need uname(2) and sysinfo(2), which tell the host's name and memory: only a UTS namespace or another machine hides them";

/// Nor bound how many threads a program has.
const THREADS: &str = "RLIMIT_NPROC counts all processes of a user and does not bind root: only a control group bounds the threads of one program";

/// Nor that whoever may read a file may lock it.
pub(crate) const LOCKS: &str = "Landlock has no right for locks, which need no more than reading, and databases need them: a file that others lock should be granted as a copy";

/// Nor bound what the epolls of a program watch.
pub(crate) const WATCHES: &str = "epoll counts watches for all processes of a user, and programs need it: an epoll may watch each file under each number of a descriptor, so a bound on descriptors bounds them by its third power only, and only a user of its own has a count of its own";

/// Nor keep a program from waiting and waking at futexes in files.
pub(crate) const FUTEXES: &str = "the address of a futex in a file is the file, and whoever joins a thread waits at a futex that is not private, so a filter cannot tell: a file at whose words others wait should be granted as a copy";

/// In a mount namespace what is not granted does not exist, and what is around it cannot be written. That
/// the same path exists outside, and is not mistyped, is what the control of each trial shows.
const HIDDEN: [i32; 2] = [libc::ENOENT, libc::EROFS];

/// All own layers but the mount namespace.
pub fn native() -> Layered {
    Layered {
        name: "native".to_owned(),
        lower: |policy| Ok(lower::strict(policy, strict_filter()?)),
        weakening: None,
        errnos: &[],
        mechanism: Some("landlock+seccomp"),
        warning: None,
        keeps_limits: true,
        whole: true,
        gaps: &[
            ("exec/threads*", THREADS),
            ("fs-write/lock.granted", LOCKS),
            ("ipc/futex-wait*", FUTEXES),
            ("kernel/user-quota.watches*", WATCHES),
            ("metadata/access*", METADATA),
            ("metadata/chdir*", METADATA),
            ("metadata/host*", HOST),
            ("metadata/open-path*", METADATA),
            ("metadata/readlink*", METADATA),
            ("metadata/stat*", METADATA),
        ],
        claims: &Protection::S1,
    }
}

/// All own layers, with a mount namespace that holds nothing but what is granted. It needs a host that
/// lets this user create user namespaces.
pub fn native_hidden() -> Layered {
    Layered {
        name: "native-hidden".to_owned(),
        lower: |policy| {
            let mut enforcement = lower::strict(policy, strict_filter()?);
            enforcement.view = Some(view(policy));
            Ok(enforcement)
        },
        errnos: &HIDDEN,
        mechanism: Some("mount-namespace+landlock+seccomp"),
        gaps: &[
            ("exec/threads*", THREADS),
            ("fs-write/lock.granted", LOCKS),
            ("ipc/futex-wait*", FUTEXES),
            ("kernel/user-quota.watches*", WATCHES),
            ("metadata/host*", HOST),
        ],
        claims: &Protection::ALL,
        ..native()
    }
}
