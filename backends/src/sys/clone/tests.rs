//! Who may end a child that waits, and who does.

use super::*;
use nix::sched::{CloneFlags, unshare};
use nix::sys::socket::{AddressFamily, SockFlag, SockType, socketpair};
use nix::sys::wait::{WaitStatus, waitpid};
use nix::unistd::{ForkResult, fork};
use std::path::Path;

fn standing() -> Standing {
    let flags = SockFlag::SOCK_CLOEXEC;
    let (one, other) = socketpair(AddressFamily::Unix, SockType::Stream, None, flags).unwrap();
    Standing::start(Box::new(ChildPlan::bare()), [other, one]).unwrap()
}

#[test]
fn what_holds_a_child_ends_it() {
    let own = standing();
    let path = format!("/proc/{}", own.child.as_ref().unwrap().pid);
    assert!(own.is_alive() && Path::new(&path).exists());
    drop(own);
    assert!(!Path::new(&path).exists());
}

/// A host that was forked off has a copy of what its parent holds, and drops it. Here it has the number of its parent,
/// too: both are the first of their pid namespace.
#[test]
#[expect(clippy::disallowed_methods, reason = "this test again, as the first process")]
fn a_copy_of_what_holds_a_child_has_none_and_ends_none_whatever_its_number() {
    const INSIDE: &str = "ESCAPOLOGY_TEST_INSIDE";
    const NAME: &str = "sys::clone::tests::a_copy_of_what_holds_a_child_has_none_and_ends_none_whatever_its_number";
    if std::env::var_os(INSIDE).is_none() {
        let again = std::process::Command::new("unshare")
            .args(["--user", "--map-root-user", "--pid", "--fork", "--kill-child", "--"])
            .arg(std::env::current_exe().unwrap())
            .args(["--exact", NAME, "--nocapture"])
            .env(INSIDE, "1")
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&again.stdout);
        assert!(again.status.success(), "{said}{}", String::from_utf8_lossy(&again.stderr));
        assert!(said.contains("1 passed"), "{said}");
        return;
    }
    let own = standing();
    assert_eq!(std::process::id(), 1);
    unshare(CloneFlags::CLONE_NEWPID).unwrap();
    // SAFETY: the copy, of one thread, frees memory, which glibc prepares for, and makes calls of the kernel.
    match unsafe { fork() }.unwrap() {
        ForkResult::Child => {
            let is_right = std::process::id() == 1 && !own.is_alive();
            drop(own);
            // SAFETY: nothing of the parent's runs at this end.
            unsafe { libc::_exit(i32::from(!is_right)) };
        }
        ForkResult::Parent { child } => {
            assert_eq!(waitpid(child, None), Ok(WaitStatus::Exited(child, 0)));
            assert!(own.is_alive());
        }
    }
}

/// A copy that was made while its parent began this may have other files under the numbers of its descriptors.
#[test]
fn a_copy_of_what_holds_a_child_closes_nothing_and_kills_nothing() {
    let mut copy = standing();
    copy.parent += 1;
    assert!(!copy.is_alive());
    let child = copy.child.as_ref().unwrap();
    let (pid, pidfd) = (child.pid, child.pidfd.as_raw_fd());
    // What the child uses must outlive the copy, as it would in another memory.
    let stack = std::mem::take(&mut copy._stack);
    drop(copy);
    assert!(Path::new(&format!("/proc/{pid}")).exists());
    // SAFETY: it was forgotten while it was open, and nobody else closes it.
    let pidfd = unsafe { OwnedFd::from_raw_fd(pidfd) };
    kernel::kill(&pidfd).unwrap();
    kernel::reap(pid).unwrap();
    drop(stack);
}
