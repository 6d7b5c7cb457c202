//! Linux. What a child is told and what it tells: plain data, prepared by its parent.

use std::ffi::CString;
use std::sync::Arc;
use std::sync::atomic::{AtomicI32, AtomicIsize, AtomicU32};

/// What parent and child tell each other through the memory that they share.
#[derive(Debug)]
pub(crate) struct Shared {
    /// [`PENDING`] at first, zero (by the kernel, `CLONE_CHILD_CLEARTID`) when the child has executed its
    /// program or is dead.
    pub(crate) word: AtomicU32,
    /// The last step that was begun, as an index into [`STEPS`].
    pub(crate) step: AtomicU32,
    /// The errno of the step that failed, or zero.
    pub(crate) errno: AtomicI32,
    /// The step of the view that was begun last, as an index into all of them.
    pub(crate) shown: AtomicU32,
    /// Whether the step was accepted by the kernel but did not do what it says.
    pub(crate) idle: AtomicU32,
}

/// The first value of [`Shared::word`].
pub(crate) const PENDING: u32 = 1;

impl Shared {
    /// A fresh one.
    pub(crate) fn new() -> Self {
        Self {
            word: AtomicU32::new(PENDING),
            step: AtomicU32::new(0),
            errno: AtomicI32::new(0),
            shown: AtomicU32::new(0),
            idle: AtomicU32::new(0),
        }
    }
}

/// The steps of a child, in order. The names are those of the calls, for errors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub(crate) enum Step {
    Deathsignal,
    Session,
    Priority,
    Limits,
    Identity,
    Root,
    Show,
    Hide,
    NoNewPrivileges,
    Capabilities,
    Descriptors,
    Seccomp,
    Order,
    Landlock,
    Unblock,
    Streams,
    Directory,
    OpenFiles,
    Execute,
}

impl Step {
    const ALL: [Self; 19] = [
        Self::Deathsignal,
        Self::Session,
        Self::Priority,
        Self::Limits,
        Self::Identity,
        Self::Root,
        Self::Show,
        Self::Hide,
        Self::NoNewPrivileges,
        Self::Capabilities,
        Self::Descriptors,
        Self::Seccomp,
        Self::Order,
        Self::Landlock,
        Self::Unblock,
        Self::Streams,
        Self::Directory,
        Self::OpenFiles,
        Self::Execute,
    ];

    /// The step with this index.
    pub(crate) fn from_index(index: u32) -> Self {
        Self::ALL.into_iter().find(|step| *step as u32 == index).unwrap_or(Self::Deathsignal)
    }

    /// The call that makes the step.
    pub(crate) fn call(self) -> &'static str {
        match self {
            Self::Deathsignal => "prctl(PR_SET_PDEATHSIG)",
            Self::Session => "setsid",
            Self::Priority => "sched_setscheduler, setpriority or ioprio_set",
            Self::Limits | Self::OpenFiles => "prlimit64",
            Self::Identity => "write(\"/proc/self/uid_map\")",
            Self::Root => "pivot_root",
            Self::Show => "mount(MS_BIND)",
            Self::Hide => "umount2(MNT_DETACH)",
            Self::NoNewPrivileges => "prctl(PR_SET_NO_NEW_PRIVS)",
            Self::Landlock => "landlock_restrict_self",
            Self::Capabilities => "capset",
            Self::Unblock => "rt_sigprocmask",
            Self::Seccomp => "seccomp(SECCOMP_SET_MODE_FILTER)",
            Self::Descriptors => "close_range",
            Self::Order => "recvmsg",
            Self::Streams => "dup3",
            Self::Directory => "fchdir",
            Self::Execute => "execveat",
        }
    }
}

/// What a child does before it knows its program: its first steps, which may be taken long before there is one.
#[derive(Debug)]
pub(crate) struct ChildPlan {
    pub(crate) shared: Shared,
    /// The process that must still be the parent once the death signal is set; zero for no death signal.
    pub(crate) parent: i32,
    pub(crate) own_session: bool,
    pub(crate) ordinary_priority: bool,
    pub(crate) limits: Vec<Limit>,
    /// The mount namespace in which the child is born, if it has one.
    pub(crate) view: Option<ViewPlan>,
    pub(crate) no_new_privileges: bool,
    pub(crate) drop_capabilities: bool,
    /// The child's end of the channel over which its order comes, above the streams.
    pub(crate) channel: i32,
    /// The parent's end, a greater number: the child closes it to see that its table is its own.
    pub(crate) opposite: i32,
    /// No descriptor of the parent is kept.
    pub(crate) close_descriptors: bool,
    /// The filter, or nothing; its own copy, for the own pid is written into it.
    pub(crate) filter: Vec<FilterSlot>,
    /// Which instructions of the filter compare with the own pid.
    pub(crate) own_pid_slots: Vec<usize>,
    /// What the calls that the filter leaves to the launch carry in upper halves; zeros for nothing.
    pub(crate) key: [u32; 2],
    /// What `socket(AF_UNIX, SOCK_DGRAM, 0)` must answer once the filter is in force (a negative
    /// errno), or zero if it is allowed.
    pub(crate) socket_answer: isize,
}

#[cfg(test)]
impl ChildPlan {
    /// One that takes no step, with this process for its parent.
    pub(crate) fn bare() -> Self {
        Self {
            shared: Shared::new(),
            parent: std::process::id().cast_signed(),
            own_session: false,
            ordinary_priority: false,
            limits: Vec::new(),
            view: None,
            no_new_privileges: false,
            drop_capabilities: false,
            channel: -1,
            opposite: -1,
            close_descriptors: false,
            filter: Vec::new(),
            own_pid_slots: Vec::new(),
            key: [0; 2],
            socket_answer: 0,
        }
    }
}

/// What a child that waits is told: its program, and what is made for it. With it come, in this order, the
/// descriptors of the three streams and of the run directory, the ruleset and the program.
#[derive(Debug)]
pub(crate) struct Order<'a> {
    /// How many descriptors come with it.
    pub(crate) descriptors: usize,
    /// Whether a Landlock ruleset is among them.
    pub(crate) has_ruleset: bool,
    /// A listing of `/` must be denied once the ruleset is in force.
    pub(crate) root_is_denied: bool,
    /// `RLIMIT_NOFILE`, set last: the child still needs descriptors above it.
    pub(crate) open_files: Option<Limit>,
    /// Calls to make in the place of executing a program, if there are any.
    pub(crate) probes: &'a [Probe],
    pub(crate) arguments: *const *const libc::c_char,
    pub(crate) environment: *const *const libc::c_char,
}

/// A mount namespace of the child's own, and how it becomes one that holds only what is granted.
#[derive(Debug)]
pub(crate) struct ViewPlan {
    /// The effective user, and the one line of `uid_map` and of `gid_map` that keeps user and group.
    pub(crate) user: u32,
    pub(crate) maps: [CString; 2],
    /// The run directory: the new root is built on it, and shows it again at the end.
    pub(crate) run: CString,
    pub(crate) run_file: FileId,
    /// Where the old root stands meanwhile: relative to the new one, absolute, and the run directory in it.
    pub(crate) old_name: CString,
    pub(crate) old: CString,
    pub(crate) old_run: CString,
    /// What is made in the new root for the granted places, which is the same for every program.
    pub(crate) places: Arc<[ViewStep]>,
    /// And for the run directory.
    pub(crate) steps: Vec<ViewStep>,
    /// The program, which is opened again inside the view.
    pub(crate) program: Option<(CString, FileId)>,
}

impl ViewPlan {
    /// All that is made in the new root, in order.
    pub(crate) fn all(&self) -> impl Iterator<Item = &ViewStep> {
        self.places.iter().chain(&self.steps)
    }
}

/// One thing that is made in the new root. Paths are absolute in it.
#[derive(Debug)]
pub(crate) enum ViewStep {
    /// An empty directory.
    Directory(CString),
    /// An empty file, to mount on.
    File(CString),
    /// A symbolic link and its text.
    Link(CString, CString),
    /// A place of the old root, with all that is mounted beneath it.
    Mount(Shown),
}

/// A place that is shown.
#[derive(Debug)]
pub(crate) struct Shown {
    /// Its path below the old root.
    pub(crate) source: CString,
    /// Its path in the new one.
    pub(crate) target: CString,
    /// `MOUNT_ATTR_*`, mount_setattr(2); the same numbers as `ST_*` of statvfs(3).
    pub(crate) attributes: u64,
    /// Which file it must be.
    pub(crate) file: FileId,
}

/// Which file a path names: device and inode.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FileId {
    pub(crate) major: u32,
    pub(crate) minor: u32,
    pub(crate) inode: u64,
}

/// A resource limit; soft and hard are the same.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limit {
    pub(crate) resource: u32,
    pub(crate) value: u64,
}

/// One instruction of the filter. Atomic, because the child writes its pid into its copy.
#[derive(Debug)]
#[repr(C)]
pub(crate) struct FilterSlot {
    pub(crate) code: u16,
    pub(crate) jump_true: u8,
    pub(crate) jump_false: u8,
    pub(crate) value: AtomicU32,
}

/// A call that a child makes instead of executing a program, to see what it answers.
#[derive(Debug)]
pub(crate) struct Probe {
    pub(crate) number: i64,
    pub(crate) arguments: [usize; 6],
    /// What the kernel returned: a negative errno, or a result.
    pub(crate) answer: AtomicIsize,
}
