//! Calls on the victim, on the program itself, and for second processes. Whoever is signalled, slowed
//! or read is the victim, never a group or everybody.

use super::Argument::{Choice, Descriptor, Fixed as Given, Program};
use super::{Call, Fixed, Gives, NONE, Role, Shows, constant};
use libc::*;

type Argument = super::Argument;

const VICTIM: Argument = Given(Fixed::Clue("victim"));
const SIGNAL: Argument = Choice(&[
    ("user", SIGUSR1 as i64),
    ("stop", SIGSTOP as i64),
    ("kill", SIGKILL as i64),
    ("urgent", SIGURG as i64),
]);
/// `siginfo_t`: the signal, no error, `SI_QUEUE`, and a sender who does not exist.
const INFORMATION: Argument = Given(Fixed::Words(&{
    let mut words = [0; 16];
    words[0] = SIGUSR1 as u64;
    words[1] = SI_QUEUE as u32 as u64;
    words
}));
const QUEUED: Argument = constant(SIGUSR1 as i64);
const WHOSE: Argument = Choice(&[("process", PRIO_PROCESS as i64), ("group", PRIO_PGRP as i64)]);
const LIMIT: Argument = Choice(&[
    ("files", RLIMIT_NOFILE as i64),
    ("time", RLIMIT_CPU as i64),
    ("core", RLIMIT_CORE as i64),
]);
const ONE: Argument = constant(1);
const VECTOR: Argument = Given(Fixed::Vector);
/// `IOPRIO_WHO_PROCESS`, `IOPRIO_WHO_PGRP`, and the idle class (`linux/ioprio.h`).
const IO_WHOSE: Argument = Choice(&[("process", 1), ("group", 2)]);
const IO_IDLE: Argument = constant(3 << 13);
const SPACE: Argument = Choice(&[
    ("user", CLONE_NEWUSER as i64),
    ("mount", CLONE_NEWNS as i64),
    ("network", CLONE_NEWNET as i64),
    ("host-name", CLONE_NEWUTS as i64),
    ("objects", CLONE_NEWIPC as i64),
    ("processes", CLONE_NEWPID as i64),
]);
const COPY: Argument = Choice(&[
    ("child", SIGCHLD as i64),
    ("silent", 0),
    ("sibling", (CLONE_PARENT | SIGCHLD) as i64),
    ("user-namespace", (CLONE_NEWUSER | SIGCHLD) as i64),
]);
/// `struct clone_args`: an exit signal and nothing else.
const CLONE: Argument = Given(Fixed::Words(&[0, 0, 0, 0, SIGCHLD as u64, 0, 0, 0]));
const DOMAIN: Argument = constant(ADDR_NO_RANDOMIZE as i64);
const VECTORS: Argument = Given(Fixed::Vectors);
const TRACE: Argument = Choice(&[("attach", PTRACE_ATTACH as i64), ("seize", PTRACE_SEIZE as i64)]);
const POLICY: Argument = Choice(&[("batch", SCHED_BATCH as i64), ("idle", SCHED_IDLE as i64)]);
const FIRST_PROCESSOR: Argument = Given(Fixed::Words(&[1]));
/// `struct sched_attr` of a batch process with the lowest priority.
const SCHEDULE: Argument = Given(Fixed::Words(&[48 | (SCHED_BATCH as u64) << 32, 0, 19, 0, 0, 0]));

const fn look(name: &'static str, number: i64, arguments: &'static [Argument]) -> Call {
    Call::act(name, number, arguments).gives(Gives::Bytes)
}

const fn start(name: &'static str, number: i64, arguments: &'static [Argument]) -> Call {
    Call::act(name, number, arguments).gives(Gives::Process)
}

pub(super) const CALLS: &[Call] = &[
    Call::act("kill", SYS_kill, &[VICTIM, SIGNAL]),
    Call::act("tkill", SYS_tkill, &[VICTIM, SIGNAL]),
    Call::act("tgkill", SYS_tgkill, &[VICTIM, VICTIM, SIGNAL]),
    Call::act("rt_sigqueueinfo", SYS_rt_sigqueueinfo, &[VICTIM, QUEUED, INFORMATION]),
    Call::act("rt_tgsigqueueinfo", SYS_rt_tgsigqueueinfo, &[VICTIM, VICTIM, QUEUED, INFORMATION]),
    Call::act("pidfd_open", SYS_pidfd_open, &[VICTIM, NONE])
        .gives(Gives::Descriptor)
        .shows(Shows::Descriptor("pidfd")),
    Call::act("pidfd_send_signal", SYS_pidfd_send_signal, &[Descriptor, SIGNAL, NONE, NONE])
        .role(Role::Chained),
    Call::act("pidfd_getfd", SYS_pidfd_getfd, &[Descriptor, Given(Fixed::Clue("victim-fd")), NONE])
        .gives(Gives::Descriptor)
        .role(Role::Chained),
    Call::act("setpriority", SYS_setpriority, &[WHOSE, VICTIM, constant(19)]),
    Call::act("prlimit64", SYS_prlimit64, &[VICTIM, LIMIT, Given(Fixed::Words(&[1, 1])), NONE]),
    Call::act(
        "sched_setscheduler",
        SYS_sched_setscheduler,
        &[VICTIM, POLICY, Given(Fixed::Words(&[0]))],
    ),
    Call::act("sched_setaffinity", SYS_sched_setaffinity, &[VICTIM, constant(8), FIRST_PROCESSOR]),
    Call::act("sched_setattr", SYS_sched_setattr, &[VICTIM, SCHEDULE, NONE]),
    Call::act("ioprio_set", SYS_ioprio_set, &[IO_WHOSE, VICTIM, IO_IDLE]),
    look(
        "process_vm_readv",
        SYS_process_vm_readv,
        &[VICTIM, VECTOR, ONE, Given(Fixed::VictimVector), ONE, NONE],
    ),
    Call::act(
        "process_vm_writev",
        SYS_process_vm_writev,
        &[VICTIM, VECTOR, ONE, Given(Fixed::VictimByte), ONE, NONE],
    ),
    Call::act("ptrace", SYS_ptrace, &[TRACE, VICTIM, NONE, NONE]).shows(Shows::Victim),
    #[cfg(target_arch = "x86_64")]
    start("fork", SYS_fork, &[]),
    start("clone", SYS_clone, &[COPY, NONE, NONE, NONE, NONE]),
    start("clone3", SYS_clone3, &[CLONE, constant(64)]),
    Call::act("execve", SYS_execve, &[Program, VECTORS, NONE]),
    Call::act("execveat", SYS_execveat, &[constant(AT_FDCWD as i64), Program, VECTORS, NONE, NONE]),
    Call::act(
        "execveat.descriptor",
        SYS_execveat,
        &[Descriptor, Given(Fixed::Literal(c"")), VECTORS, NONE, constant(AT_EMPTY_PATH as i64)],
    )
    .role(Role::Chained),
    Call::act(
        "write.program",
        SYS_write,
        &[Descriptor, Given(Fixed::Executable), Given(Fixed::ExecutableLength)],
    )
    .role(Role::Chained),
    Call::act("unshare", SYS_unshare, &[SPACE]).shows(Shows::State),
    Call::act("personality", SYS_personality, &[DOMAIN]).shows(Shows::State),
    Call::act("environment", SYS_getpid, &[]).gives(Gives::Special(super::Special::Environment)),
];
