//! Other processes: starting them, becoming them, touching them.

use super::super::scenario::{OUTSIDE, RUN, any, file, name, other};
use super::Question::{self, Absent, Gap, Launch, Needs};
use super::{CLOSED, Entry};

const LINUX_CALL: &str = "a system call of Linux alone";
const LIMITS: &str = "limits are the launcher's, not the profile's: processor time, file size and descriptors by setrlimit, deadline and output by the loop that follows the program";
/// Whether the kernel asks the sandbox is not known.
const OWNER: &str = "it is not known whether the kernel asks the sandbox before it signals the owner of a socket (F_SETOWN); not held until a Mac says so";
/// A profile cannot count.
const AGAIN: &str = "the one image may become itself once more, under the same profile: a profile cannot count executions, and nothing is gained";

fn fork() -> Question {
    Needs(vec![any("process-fork")])
}

fn become_program(path: &str) -> Question {
    Needs(vec![file("process-exec*", path)])
}

fn shell() -> Question {
    become_program("/bin/sh")
}

fn own_file() -> Question {
    become_program(&format!("{RUN}/program"))
}

fn signal() -> Question {
    Needs(vec![other("signal")])
}

/// The ports by which another process is read, written and stopped.
fn task() -> Question {
    Needs(vec![any("mach-priv-task-port")])
}

fn control() -> Question {
    Needs(vec![other("process-info-setcontrol")])
}

/// A carrier of an act: it is held where the act is.
fn read() -> Question {
    Needs(vec![file("file-read-data", &format!("{OUTSIDE}/secret"))])
}

fn write() -> Question {
    Needs(vec![file("file-write-create", &format!("{OUTSIDE}/planted"))])
}

fn connect() -> Question {
    Needs(vec![name("network-outbound", "127.0.0.1:1")])
}

/// A library that was written: it is loaded, and then reads.
fn library() -> Question {
    Needs(vec![
        file("file-write-create", &format!("{RUN}/library.so")),
        file("file-map-executable", &format!("{RUN}/library.so")),
    ])
}

pub(super) const ENTRIES: &[Entry] = &[
    ("exec/clone*", fork),
    ("exec/daemon*", fork),
    ("exec/exec-bin*", shell),
    ("exec/exec-run*", own_file),
    ("exec/execveat*", own_file),
    ("exec/fork*", fork),
    ("exec/helper-daemon*", || Needs(vec![file("network-outbound", &format!("{OUTSIDE}/helper"))])),
    ("exec/kernel-helper*", || Absent("a helper that the Linux kernel starts")),
    ("exec/ldso*", || become_program("/usr/lib/dyld")),
    ("exec/memfd-exec*", || Absent(LINUX_CALL)),
    ("exec/py-subprocess*", fork),
    ("exec/re-exec*", || Gap(AGAIN)),
    ("exec/shebang*", || {
        Needs(vec![
            file("process-exec*", &format!("{RUN}/script")),
            file("process-exec-interpreter", "/bin/sh"),
        ])
    }),
    ("exec/suid-bin*", || become_program("/usr/bin/su")),
    ("exec/threads*", || Launch(LIMITS)),
    ("exec/vfork*", fork),
    ("process/kill*", signal),
    ("process/sigio*", || Gap(OWNER)),
    ("process/ptrace*", task),
    ("process/memory*", task),
    ("process/descriptor*", || Needs(vec![other("process-info-pidfdinfo")])),
    ("process/compare*", || Absent(LINUX_CALL)),
    ("process/pidfd*", || Absent(LINUX_CALL)),
    ("process/limits*", || Absent("prlimit of another process is Linux's")),
    ("process/priority*", control),
    ("process/scheduler*", control),
    ("process/io-priority*", control),
    ("process/whole-user*", control),
    ("process/sacrifice*", || Absent("macOS has no such setting of another process")),
    ("native-code/*", read),
    ("native-code/ctypes-call.write", write),
    ("native-code/ctypes-call.connect", connect),
    ("native-code/ctypes-call.spawn", fork),
    ("native-code/machine-code*", || {
        Needs(vec![
            any("dynamic-code-generation"),
            file("file-read-data", &format!("{OUTSIDE}/secret")),
        ])
    }),
    ("native-code/machine-code.write", || {
        Needs(vec![
            any("dynamic-code-generation"),
            file("file-write-create", &format!("{OUTSIDE}/planted")),
        ])
    }),
    ("native-code/machine-code.connect", || {
        Needs(vec![any("dynamic-code-generation"), name("network-outbound", "127.0.0.1:1")])
    }),
    ("native-code/machine-code.spawn", || {
        Needs(vec![any("dynamic-code-generation"), any("process-fork")])
    }),
    ("native-code/library*", library),
    ("native-code/memory-corruption.write", write),
    ("native-code/memory-corruption.connect", connect),
    ("native-code/memory-corruption.spawn", fork),
    ("hook/*", read),
    ("hook/readline.write", write),
    ("hook/sqlite*", write),
    ("hook/spawn", fork),
    ("hook/tcl.spawn", fork),
    ("hook/tcl.connect", connect),
    ("hook/descriptor*", || Launch(CLOSED)),
    ("resource/*", || Launch(LIMITS)),
    ("resource/fork-bomb*", fork),
    ("resource/leave-leader*", fork),
    ("resource/memory*", || {
        Gap(
            "macOS enforces no limit of memory that a launcher can set; a policy with one is refused",
        )
    }),
    ("resource/suspend-parent*", signal),
];
