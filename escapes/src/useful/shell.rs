//! Ends that are passed on, and shells that want a second process: each end is seen from outside exactly
//! as the program made it.

use super::programs::{holds, said, words};
use harness::useful::{Program, UsefulWork, Work};
use reports::record::Finish;

const fn bash(script: &'static [&'static str; 2], end: Finish, refused: &'static [Finish]) -> Work {
    Work::Program(Program {
        path: "/bin/bash",
        arguments: script,
        prepare: Some(words),
        end,
        refused,
        ..Program::BLANK
    })
}

/// What bash ends with where it cannot fork.
const CANNOT_FORK: &[Finish] = &[Finish::Exited(254)];

pub(super) const WORKS: &[UsefulWork] = &[
    UsefulWork {
        id: "useful/exit-255",
        summary: "The largest exit code is passed on",
        work: bash(&["-c", "echo said; exit 255"], Finish::Exited(255), &[]),
        check: Some(|_run, stdout| said(stdout, "said\n")),
        ..UsefulWork::BLANK
    },
    UsefulWork {
        id: "useful/exit-by-term",
        summary: "The end by a signal that the program sent to itself is passed on",
        work: bash(&["-c", "echo said; kill -TERM $$"], Finish::Signalled(libc::SIGTERM), &[]),
        check: Some(|_run, stdout| said(stdout, "said\n")),
        ..UsefulWork::BLANK
    },
    UsefulWork {
        id: "useful/exit-by-kill",
        summary: "The end by SIGKILL is passed on and taken for no limit",
        work: bash(&["-c", "echo said; kill -KILL $$"], Finish::Signalled(libc::SIGKILL), &[]),
        check: Some(|_run, stdout| said(stdout, "said\n")),
        ..UsefulWork::BLANK
    },
    UsefulWork {
        id: "useful/exit-by-trap",
        summary: "A shell catches a signal of its own, goes on, and says its exit code",
        work: bash(&["-c", CAUGHT], Finish::Exited(3), &[]),
        check: Some(|_run, stdout| said(stdout, "caught\nwent on\nleft\n")),
        ..UsefulWork::BLANK
    },
    UsefulWork {
        id: "useful/exit-by-broken-pipe",
        summary: "A write to a pipe that nobody reads ends the program by SIGPIPE, which is not ignored",
        work: Work::Program(Program {
            path: "/usr/bin/perl",
            arguments: &["-e", BROKEN_PIPE],
            end: Finish::Signalled(libc::SIGPIPE),
            ..Program::BLANK
        }),
        check: Some(|_run, stdout| said(stdout, "before\n")),
        ..UsefulWork::BLANK
    },
    UsefulWork {
        id: "useful/shell-substitution",
        summary: "A shell takes the output of a command, or says at once that it cannot fork",
        work: bash(&["-c", SUBSTITUTION], Finish::Exited(0), CANNOT_FORK),
        check: Some(|run, _stdout| holds(run, "before", "begun\n")),
        ..UsefulWork::BLANK
    },
    UsefulWork {
        id: "useful/shell-pipeline",
        summary: "A shell runs a pipeline of programs, or says at once that it cannot fork",
        work: bash(&["-c", PIPELINE], Finish::Exited(0), CANNOT_FORK),
        check: Some(|run, _stdout| holds(run, "before", "begun\n")),
        ..UsefulWork::BLANK
    },
    UsefulWork {
        id: "useful/shell-exec",
        summary: "A shell becomes another program, or says at once that it may not",
        work: bash(&["-c", EXEC], Finish::Exited(0), &[Finish::Exited(126)]),
        check: Some(|run, _stdout| holds(run, "before", "begun\n")),
        ..UsefulWork::BLANK
    },
];

const CAUGHT: &str =
    "trap 'echo caught' USR1; trap 'echo left' EXIT; kill -USR1 $$; echo went on; exit 3";
const BROKEN_PIPE: &str = "pipe(R, W); close(R); syswrite(STDOUT, \"before\\n\"); \
    syswrite(W, \"x\"); syswrite(STDOUT, \"after\\n\")";
const SUBSTITUTION: &str = "echo begun > before; said=$(echo inside); [[ $said == inside ]]";
const PIPELINE: &str = "echo begun > before; /bin/cat words | /bin/cat > after; [[ -s after ]]";
const EXEC: &str = "echo begun > before; exec /bin/true";
