//! Other processes: starting them, becoming them, touching them.

use super::super::scenario::{
    OUTSIDE, RUN, any, control, execute, file, interpreter, name, other, request,
};
use super::Question::{self, Absent, Again, Gap, Launch, Needs};
use super::{CLOSED, Entry};
use backends::macos::access::Access;
use backends::macos::gaps;

const LINUX_CALL: &str = "a system call of Linux alone";
const NO_PEEK: &str =
    "ptrace(2) neither reads nor writes memory on macOS; process/memory does, by the task port";
const LIMITS: &str = "limits are the launcher's, not the profile's: processor time, file size and descriptors by setrlimit, deadline and output by the loop that follows the program";
/// The control by which a descriptor gets an owner, whom the kernel then signals without asking anybody
/// (`F_SETOWN`, `sowakeup` in XNU's `bsd/kern/uipc_socket2.c`).
const SET_OWNER: u32 = 6;
/// The same as a request to a socket (`SIOCSPGRP`, `soioctl` in `bsd/kern/sys_socket.c`).
const SET_GROUP: u32 = 0x8004_7308;

fn fork() -> Question {
    Needs(vec![forking()])
}

fn become_program(path: &str) -> Question {
    Needs(vec![execute(path)])
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

fn of_another() -> Question {
    Needs(vec![other("process-info-setcontrol")])
}

/// What native code does once it runs.
fn reading() -> Access {
    file("file-read-data", &format!("{OUTSIDE}/secret"))
}

fn writing() -> Access {
    file("file-write-create", &format!("{OUTSIDE}/planted"))
}

fn connecting() -> Access {
    name("network-outbound", "127.0.0.1:1")
}

fn forking() -> Access {
    any("process-fork")
}

/// A carrier of an act that asks nobody for itself: it is held where the act is.
fn read() -> Question {
    Needs(vec![reading()])
}

fn write() -> Question {
    Needs(vec![writing()])
}

fn connect() -> Question {
    Needs(vec![connecting()])
}

/// Machine code in fresh memory, and what it does.
fn code(act: Access) -> Question {
    Needs(vec![any("dynamic-code-generation"), act])
}

/// Machine code in a file that was written: it is mapped executable or loaded as a library, and then acts.
fn library(act: Access) -> Question {
    let file_of = |operation| file(operation, &format!("{RUN}/library.so"));
    Needs(vec![file_of("file-write-create"), file_of("file-map-executable"), act])
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
    ("exec/re-exec*", || Again),
    ("exec/shebang*", || Needs(vec![execute(&format!("{RUN}/script")), interpreter("/bin/sh")])),
    ("exec/suid-bin*", || become_program("/bin/ps")),
    ("exec/threads", || Gap(gaps::THREADS)),
    ("exec/vfork*", fork),
    ("process/kill*", signal),
    ("process/sigio*", || Needs(vec![control(SET_OWNER)])),
    ("process/sigio.ioctl", || Gap(gaps::OWNER)),
    ("process/sigio.request", || Needs(vec![request(SET_GROUP)])),
    ("process/sigio.extended", || Absent("F_SETOWN_EX is Linux's")),
    ("process/sigio.signal", || Absent("F_SETSIG is Linux's: the signal is SIGIO or SIGURG")),
    ("process/sigio.urgent", || Absent("a Unix socket of macOS carries no urgent data")),
    ("process/sigio.directory", || Absent("F_NOTIFY is Linux's; kqueue(2) sends no signal")),
    ("process/sigio.lease", || Absent("a lease of macOS sends no signal")),
    ("process/ptrace*", task),
    ("process/ptrace", || Absent(NO_PEEK)),
    ("process/ptrace.attach", || Absent(NO_PEEK)),
    ("process/ptrace.poke", || Absent(NO_PEEK)),
    ("process/memory*", task),
    ("process/descriptor*", || {
        Absent(
            "no call copies a descriptor; the path that it leads to is asked of macos/open-files",
        )
    }),
    ("process/compare*", || Absent(LINUX_CALL)),
    ("process/pidfd*", || Absent(LINUX_CALL)),
    ("process/limits*", || Absent("prlimit of another process is Linux's")),
    ("process/priority*", of_another),
    ("process/scheduler*", of_another),
    ("process/parameter*", of_another),
    ("process/io-priority*", of_another),
    ("process/whole-user*", of_another),
    ("process/sacrifice*", || Absent("macOS has no such setting of another process")),
    ("native-code/*", read),
    ("native-code/ctypes-call.write", write),
    ("native-code/ctypes-call.connect", connect),
    ("native-code/ctypes-call.spawn", fork),
    ("native-code/ctypes-call.renamed", || library(reading())),
    ("native-code/machine-code*", || code(reading())),
    ("native-code/machine-code.write", || code(writing())),
    ("native-code/machine-code.connect", || code(connecting())),
    ("native-code/machine-code.spawn", || code(forking())),
    ("native-code/machine-code.file", || library(reading())),
    ("native-code/library*", || library(reading())),
    ("native-code/library.import-spawn", || library(forking())),
    ("native-code/memory-corruption", || library(reading())),
    ("native-code/memory-corruption.write", || library(writing())),
    ("native-code/memory-corruption.connect", || library(connecting())),
    ("native-code/memory-corruption.spawn", || library(forking())),
    ("hook/*", read),
    ("hook/readline.write", write),
    ("hook/sqlite*", write),
    ("hook/spawn", fork),
    ("hook/tcl.spawn", fork),
    ("hook/tcl.connect", connect),
    ("hook/descriptor*", || Launch(CLOSED)),
    ("resource/*", || Launch(LIMITS)),
    ("resource/pipe-memory*", || Absent("nobody sets the size of a pipe on macOS")),
    ("resource/fork-bomb*", fork),
    ("resource/core-handler*", || Absent("macOS starts no handler for a core")),
    ("resource/leave-leader*", fork),
    ("resource/memory*", || Gap(gaps::MEMORY)),
    ("resource/suspend-parent*", signal),
];
