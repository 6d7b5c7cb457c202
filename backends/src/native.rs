//! Linux. The backend `native`: Landlock, the system call filter with the execution fuse, and hygiene.

use crate::layered::{Layered, strict_filter};
use crate::linux::lower;
use crate::protection::Protection;

/// What Landlock and seccomp cannot hide: paths outside can be looked at, not opened.
const METADATA: &str = "Landlock has no right for looking at a path (landlock-lsm/linux#11) and the loader needs these calls: only a mount namespace hides that a path exists";

/// Nor that a program is told which host it is on.
const HOST: &str = "programs need uname(2) and sysinfo(2), which tell the host's name and memory: only a UTS namespace or another machine hides them";

/// Nor bound how many threads a program has.
const THREADS: &str = "RLIMIT_NPROC counts all processes of a user and does not bind root: only a control group bounds the threads of one program";

/// All own layers.
pub fn native() -> Layered {
    Layered {
        name: "native".to_owned(),
        lower: |policy| Ok(lower::strict(policy, strict_filter()?)),
        weakening: None,
        mechanism: Some("landlock+seccomp"),
        warning: None,
        keeps_limits: true,
        whole: true,
        gaps: &[
            ("exec/threads*", THREADS),
            ("metadata/access*", METADATA),
            ("metadata/chdir*", METADATA),
            ("metadata/host*", HOST),
            ("metadata/open-path*", METADATA),
            ("metadata/readlink*", METADATA),
            ("metadata/stat*", METADATA),
        ],
        claims: &Protection::ALL,
    }
}
