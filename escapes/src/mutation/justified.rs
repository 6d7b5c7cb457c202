//! Mutants that nobody notices, and why that is right. A row whose mutant is killed fails the gate, and a
//! test holds the number of rows: it is a list to be argued with, not a bin.

/// It changes or asks what is the program's own: memory, descriptors, threads, limits on itself.
const OWN: &str = "acts on the program's own memory, descriptors or threads alone; it stays refused as kernel surface that honest programs do without";

/// It needs an object that only another refused call makes.
const OBJECT: &str = "needs an object that only another refused call gives, and that call has mutants and escapes of its own";

/// It needs a capability that is dropped.
const HOST: &str = "needs a capability that every program has lost, and what it changes then is the whole host: no benign act exists to try";

/// What the calls about quotas do for whom, quotactl(2): `Q_SYNC` succeeds without any privilege, and a volume of
/// the trial's own without quotas is not written by it.
const QUOTAS: &str = "changes quotas with a capability alone that every program has lost; without it, it writes quotas to the disk and tells those of the program's own user, where a file system has any, and no file system of this host has";

/// It tells facts of the kernel.
const FACTS: &str = "tells what the kernel is built of, or how full a file system is, which statfs tells as well (a declared gap); a decoy would have to change the host for everybody";

/// It is about the memory of other processes.
const PLACEMENT: &str = "moves or advises memory of another process only with the right to trace it, which Landlock refuses; the placement has no effect that is seen from outside";

/// The life of other processes.
const CLOCKS: &str = "tells whether a process lives and how long it ran; metadata/tasks shows the same by ten other calls, but only leaders of processes have such clocks, one for each bit of a token";

/// Modes of C's fopen.
const FOPEN: &str = "only fopen of C reports a mode without flags, and no module of the interpreters that we know writes so: the flags beside it are judged first";

/// Events of libraries that this interpreter does not have.
const MODULE: &str = "a module that the interpreter of this host does not offer under -I -S, or that gives nothing by itself; the hook's own tests import it where it is there";

/// Urgent data.
const URGENT: &str = "adds urgent data on the program's own pair of sockets, which reaches nobody; it is refused because that code of the kernel was wrong more than once";

/// Options of sockets.
const OPTION: &str = "sets another option of the program's own pair of sockets; on sockets that reach out the whole rule is witnessed, behind those that refuse such sockets";

/// The newest calls of the futex family.
const FUTEX: &str = "waits or wakes at a futex, which the checked call may do at shared ones, too; what others lose by it ipc/file-futex tries by moving them elsewhere";

/// The rule with its change, and the reason.
pub(super) const MUTANTS: &[(&str, &str)] = &[
    // Landlock.
    (
        "landlock/refer not handled",
        "the kernel refuses links and renames between directories also where nobody handles this right (landlock(7)), so only the rest of the ruleset holds it",
    ),
    (
        "landlock/place-run {run} given make-fifo",
        "the filter refuses mknod, and a pipe in the run directory is the program's own; whoever harvests looks at the kind of a file first",
    ),
    (
        "landlock/place-program {image} made writable",
        "the kernel lets nobody write to a file that is executed (ETXTBSY)",
    ),
    (
        "landlock/place-program {loader} made writable",
        "while somebody has the loader open for writing no program of the host can start (ETXTBSY), so no escape opens it; fs-write/read-only tries every other place",
    ),
    (
        "landlock/place-program {loader} widened to its parent",
        "adds the right to execute shared libraries, whose folder may be read already; the execution fuse holds, and the loader itself runs any program",
    ),
    // Rules of the filter.
    ("seccomp/arch_prctl allowed", OWN),
    ("seccomp/clock_getres allowed", CLOCKS),
    ("seccomp/clock_gettime allowed", CLOCKS),
    ("seccomp/clock_nanosleep allowed", CLOCKS),
    ("seccomp/timer_create allowed", CLOCKS),
    (
        "seccomp/getpriority argument 0 of clause 0 not checked",
        "tells the highest priority among the user's processes, a number that every process of the host has a part in: no decoy can set it alone",
    ),
    (
        "seccomp/getpriority argument 0 of clause 1 not checked",
        "asks for a group or a user whose number is the program's own process: the group is its own, and no user has that number",
    ),
    (
        "seccomp/setpriority argument 0 of clause 0 not checked",
        "slows every process of the program's own user, which on a host is everything; process/whole-user tries the same on a user who has one process",
    ),
    (
        "seccomp/setpriority argument 0 of clause 1 not checked",
        "names a group or a user whose number is the program's own process: the group is its own, and no user has that number",
    ),
    (
        "seccomp/setfsgid told as success",
        "the call knows no failure: it answers with the identity that stays, whatever happens (setfsgid(2))",
    ),
    (
        "seccomp/setfsuid told as success",
        "the call knows no failure: it answers with the identity that stays, whatever happens (setfsuid(2))",
    ),
    (
        "seccomp/socketpair argument 0 of clause 0 not checked",
        "pairs of stream sockets are made by the Unix family alone (and by TIPC where its module is loaded), so the check on the kind holds",
    ),
    ("seccomp/recvfrom allowed", URGENT),
    ("seccomp/recvmmsg allowed", URGENT),
    ("seccomp/recvmsg allowed", URGENT),
    ("seccomp/setsockopt argument 1 of clause 0 not checked", OPTION),
    ("seccomp/setsockopt argument 1 of clause 1 not checked", OPTION),
    ("seccomp/setsockopt argument 1 of clause 2 not checked", OPTION),
    ("seccomp/setsockopt argument 1 of clause 3 not checked", OPTION),
    ("seccomp/setsockopt argument 1 of clause 4 not checked", OPTION),
    (
        "seccomp/mmap allowed",
        "gives huge pages, a store that the host's administrator must have filled; this kernel has none to take",
    ),
    (
        "seccomp/madvise allowed",
        "advises about pages of files that the program may read: that others find them out of memory is a matter of time only, and no trial can tell whose doing it was",
    ),
    (
        "seccomp/pwritev2 allowed",
        "the flags that it is refused tell something when reading, which metadata/page-cache tries by preadv2; the two are refused alike",
    ),
    ("seccomp/futex_wait allowed", FUTEX),
    ("seccomp/futex_waitv allowed", FUTEX),
    ("seccomp/futex_wake allowed", FUTEX),
    // Calls without a rule.
    ("seccomp/acct allowed", HOST),
    ("seccomp/pivot_root allowed", HOST),
    ("seccomp/quotactl allowed", QUOTAS),
    ("seccomp/quotactl_fd allowed", QUOTAS),
    (
        "seccomp/reboot allowed",
        "asks for a capability that every program has lost before it looks at what it is to do; that stops or replaces the kernel, and an escape for the rest, what Ctrl-Alt-Del does, would be one wrong word away from it",
    ),
    ("seccomp/swapoff allowed", HOST),
    ("seccomp/swapon allowed", HOST),
    ("seccomp/fspick allowed", HOST),
    ("seccomp/move_mount allowed", HOST),
    ("seccomp/capset allowed", OWN),
    ("seccomp/get_mempolicy allowed", OWN),
    ("seccomp/landlock_add_rule allowed", OWN),
    ("seccomp/landlock_restrict_self allowed", OWN),
    ("seccomp/lsm_get_self_attr allowed", OWN),
    ("seccomp/lsm_set_self_attr allowed", OWN),
    ("seccomp/mlockall allowed", OWN),
    ("seccomp/modify_ldt allowed", OWN),
    ("seccomp/munlockall allowed", OWN),
    ("seccomp/pkey_alloc allowed", OWN),
    ("seccomp/pkey_free allowed", OWN),
    ("seccomp/pkey_mprotect allowed", OWN),
    (
        "seccomp/readahead allowed",
        "brings pages of a file that may be read into memory, as reading them and the advice that is allowed do",
    ),
    ("seccomp/remap_file_pages allowed", OWN),
    ("seccomp/set_mempolicy allowed", OWN),
    ("seccomp/set_mempolicy_home_node allowed", OWN),
    ("seccomp/shmdt allowed", OWN),
    (
        "seccomp/sync_file_range allowed",
        "writes to the disk what others have written to a file that may be read, which happens soon anyway and changes nothing",
    ),
    ("seccomp/tee allowed", OWN),
    ("seccomp/uprobe allowed", OWN),
    ("seccomp/uretprobe allowed", OWN),
    ("seccomp/vmsplice allowed", OWN),
    ("seccomp/fanotify_mark allowed", OBJECT),
    ("seccomp/inotify_rm_watch allowed", OBJECT),
    ("seccomp/io_cancel allowed", OBJECT),
    ("seccomp/io_destroy allowed", OBJECT),
    ("seccomp/io_getevents allowed", OBJECT),
    ("seccomp/io_pgetevents allowed", OBJECT),
    ("seccomp/io_submit allowed", OBJECT),
    ("seccomp/io_uring_register allowed", OBJECT),
    ("seccomp/mq_getsetattr allowed", OBJECT),
    ("seccomp/mq_notify allowed", OBJECT),
    ("seccomp/process_mrelease allowed", OBJECT),
    ("seccomp/lsm_list_modules allowed", FACTS),
    ("seccomp/sysfs allowed", FACTS),
    ("seccomp/ustat allowed", FACTS),
    ("seccomp/migrate_pages allowed", PLACEMENT),
    ("seccomp/move_pages allowed", PLACEMENT),
    ("seccomp/process_madvise allowed", PLACEMENT),
    // Hygiene.
    (
        "hygiene/die-with-launcher skipped",
        "a trial ends with its launcher alive, so it cannot show this; backends/tests/launch.rs kills the launcher and sees the program die",
    ),
    (
        "hygiene/own-session skipped",
        "what it gives away is the terminal of the launcher, which a gate on a build host does not have; Landlock refuses /dev/tty, and the streams are pipes",
    ),
    (
        "hygiene/ordinary-priority skipped",
        "what a launcher with a raised priority hands on; this one has none, and backends/tests/launch.rs raises it and sees it given up",
    ),
    // The Python hook.
    (
        "hook/os.chflags not looked at",
        "Python has os.chflags on BSD and macOS only, and the event stands in the list for these",
    ),
    (
        "hook/socket.__new__ argument 3 not looked at",
        "a stream socket of the Unix family knows one protocol, whatever number it is asked for",
    ),
    (
        "hook/fcntl.* permitted",
        "every event with this prefix that Python has today stands in a list of its own; it is there for the next one",
    ),
    (
        "hook/sys.* permitted",
        "sys._current_frames and sys.settrace show the frames of the hook, whose names can be changed since Python 3.13 only (PEP 667)",
    ),
    (
        "hook/syslog.* permitted",
        "writes to the log of the host by /dev/log; a decoy would stand in the place of the host's own",
    ),
    (
        "hook/object.__getattr__ not guarded",
        "the first of two guards on the hook's functions; backends/src/hook/tests/interpreter.rs takes both away and sees the hook fall",
    ),
    (
        "hook/object.__setattr__ not guarded",
        "the second of two guards on the hook's functions; backends/src/hook/tests/interpreter.rs takes both away and sees the hook fall",
    ),
    ("hook/import._cffi_backend permitted", MODULE),
    ("hook/import._dbm permitted", MODULE),
    ("hook/import._gdbm permitted", MODULE),
    ("hook/import._imp permitted", MODULE),
    ("hook/import._remote_debugging permitted", MODULE),
    (
        "hook/import._testinternalcapi permitted",
        "since Python 3.12 it writes /tmp/perf-PID.map without an event (write_perf_map_entry), which the interpreter of an older host has not",
    ),
    ("hook/import._testlimitedcapi permitted", MODULE),
    (
        "hook/write-flag.0o100 no writing",
        "creates an empty file only where reading is granted, in the library of the interpreter: an act that would leave it on the host",
    ),
    (
        "hook/write-flag.0o1000 no writing",
        "empties a file only where reading is granted, in the library of the interpreter: an act that would harm the host",
    ),
    ("hook/write-mode.+ no writing", FOPEN),
    ("hook/write-mode.a no writing", FOPEN),
    ("hook/write-mode.w no writing", FOPEN),
    ("hook/write-mode.x no writing", FOPEN),
];
