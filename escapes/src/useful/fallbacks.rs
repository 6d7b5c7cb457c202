//! Calls that libraries try first and have a fallback for, and a sandbox that a program puts on itself.

use super::{expect, wrong};
use crate::raw;
use harness::scene::Scene;
use harness::useful::UsefulWork;
use std::fs::{self, File};
use std::io;
use std::os::fd::{AsRawFd, OwnedFd};
use std::path::Path;

pub(super) const WORKS: &[UsefulWork] = &[
    UsefulWork {
        id: "useful/newer-calls",
        summary: "Calls that a newer C library tries first are not answered by EPERM, so it falls back",
        work: native!(newer),
        ..UsefulWork::BLANK
    },
    UsefulWork {
        id: "useful/optional-calls",
        summary: "Calls that runtimes try and can do without are answered, and the program lives",
        work: native!(optional),
        ..UsefulWork::BLANK
    },
    UsefulWork {
        id: "useful/own-sandbox",
        summary: "The program puts a second ruleset on itself, or goes on without, and links own files",
        work: native!(own_sandbox),
        check: Some(|run, _stdout| match fs::read_to_string(run.join("second/linked")) {
            Ok(text) if text == "linked" => Ok(()),
            other => Err(format!("second/linked: {other:?}")),
        }),
        ..UsefulWork::BLANK
    },
];

/// Calls with a number that is the same on every architecture since Linux 5.1, the last of them one
/// that no kernel has, by include/uapi/asm-generic/unistd.h.
const NEWER: [(&str, i64); 8] = [
    ("clone3", 435),
    ("close_range", 436),
    ("openat2", 437),
    ("faccessat2", 439),
    ("epoll_pwait2", 441),
    ("futex_waitv", 449),
    ("fchmodat2", 452),
    ("one that is not there", 4_000),
];

/// Every argument is one that no kernel takes, so nothing happens but the answer.
fn newer(scene: &Scene) -> io::Result<()> {
    for (name, number) in NEWER {
        let answer = raw::call(number, [usize::MAX; 6]).map_err(|error| error.raw_os_error());
        scene.say(&format!("answer {name} {answer:?}"))?;
        expect(answer != Err(Some(libc::EPERM)), "a new call is forbidden instead of absent")?;
    }
    let absent = raw::call(4_000, [0; 6]).map_err(|error| error.raw_os_error());
    expect(absent == Err(Some(libc::ENOSYS)), "a call that no kernel has was answered otherwise")
}

/// What runtimes ask when they start, and what they try to be faster or safer with. Each is done or
/// refused; the descriptors that some give are closed again.
fn optional(scene: &Scene) -> io::Result<()> {
    let descriptors = [
        ("memfd_create", libc::SYS_memfd_create, [c"x".as_ptr().addr(), 0]),
        ("inotify_init1", libc::SYS_inotify_init1, [0, 0]),
        ("pidfd_open", libc::SYS_pidfd_open, [std::process::id() as usize, 0]),
        ("userfaultfd", libc::SYS_userfaultfd, [1, 0]),
    ];
    for (name, number, [first, second]) in descriptors {
        let answer = raw::descriptor(number, [first, second, 0, 0, 0, 0]);
        scene.say(&format!("answer {name} {:?}", answer.map(drop)))?;
    }
    let user = nix::unistd::getuid().as_raw() as usize;
    let calls = [
        ("io_uring_setup", libc::SYS_io_uring_setup, [0, 0, 0]),
        ("membarrier", libc::SYS_membarrier, [0, 0, 0]),
        ("setuid", libc::SYS_setuid, [user, 0, 0]),
        ("setresuid", libc::SYS_setresuid, [user, user, user]),
        ("setsid", libc::SYS_setsid, [0, 0, 0]),
        ("personality", libc::SYS_personality, [0xffff_ffff, 0, 0]),
        ("prctl dumpable", libc::SYS_prctl, [libc::PR_GET_DUMPABLE as usize, 0, 0]),
        ("prctl subreaper", libc::SYS_prctl, [libc::PR_SET_CHILD_SUBREAPER as usize, 0, 0]),
        ("prctl name", libc::SYS_prctl, [libc::PR_SET_NAME as usize, c"x".as_ptr().addr(), 0]),
        ("seccomp", libc::SYS_seccomp, [2, 0, 0]),
        ("keyctl", libc::SYS_keyctl, [0, usize::MAX, 0]),
        ("shmget", libc::SYS_shmget, [usize::MAX, 0, 0]),
        ("mlock", libc::SYS_mlock, [0, 0, 0]),
        ("ioprio_get", libc::SYS_ioprio_get, [1, 0, 0]),
    ];
    for (name, number, [first, second, third]) in calls {
        let answer = raw::call(number, [first, second, third, 0, 0, 0]);
        scene.say(&format!("answer {name} {:?}", answer.map(drop)))?;
    }
    fs::write(scene.run().join("alive"), "alive")
}

/// `LANDLOCK_ACCESS_FS_REFER` and the right to bind a TCP port, by include/uapi/linux/landlock.h.
const REFER: u64 = 1 << 13;
const BIND: u64 = 1;

/// As xz, sshd and browsers do: where the calls are not there, they go on without.
fn own_sandbox(scene: &Scene) -> io::Result<()> {
    let [first, second] = ["first", "second"].map(|name| scene.run().join(name));
    fs::create_dir(&first)?;
    fs::create_dir(&second)?;
    fs::write(first.join("file"), "linked")?;
    nix::sys::prctl::set_no_new_privs()?;
    match restrict(scene.run()) {
        Ok(()) => scene.say("answer restricted")?,
        Err(error) => {
            scene.say(&format!("answer {error}"))?;
            let code = error.raw_os_error().ok_or_else(|| wrong("an error without a code"))?;
            let known = [libc::ENOSYS, libc::EOPNOTSUPP, libc::EPERM, libc::EINVAL];
            expect(known.contains(&code), "the own sandbox was refused in an odd way")?;
        }
    }
    fs::hard_link(first.join("file"), second.join("linked"))
}

/// A ruleset that handles the change of directories and the binding of ports, and allows the first
/// beneath the run directory.
fn restrict(run: &Path) -> io::Result<()> {
    let handled = [REFER, BIND];
    let size = size_of_val(&handled);
    let address = handled.as_ptr().addr();
    let ruleset: OwnedFd =
        raw::descriptor(libc::SYS_landlock_create_ruleset, [address, size, 0, 0, 0, 0])?;
    let folder = File::open(run)?;
    let mut rule = [0_u8; 12]; // struct landlock_path_beneath_attr is packed
    let (access, parent) = rule.split_at_mut(8);
    access.copy_from_slice(&REFER.to_ne_bytes());
    parent.copy_from_slice(&folder.as_raw_fd().to_ne_bytes());
    let ruleset = ruleset.as_raw_fd() as usize;
    let address = rule.as_ptr().addr();
    raw::call(libc::SYS_landlock_add_rule, [ruleset, 1, address, 0, 0, 0])?;
    raw::call(libc::SYS_landlock_restrict_self, [ruleset, 0, 0, 0, 0, 0])?;
    Ok(())
}
