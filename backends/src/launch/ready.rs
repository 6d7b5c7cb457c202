//! Linux. Children that have taken their first steps and wait for their program, one for each enforcement that asks
//! for it. They are started between two programs, which takes most of what confinement costs out of the time of a launch.

use super::{Prepared, start};
use crate::aside;
use crate::sys::clone::Standing;
use nix::unistd::{ResGid, ResUid, getresgid, getresuid};
use rustix::process::{DumpableBehavior, Gid, dumpable_behavior, getgroups};
use rustix::thread::{SecureComputingMode, no_new_privs, secure_computing_mode};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, TryLockError, Weak};

/// The child that waits, if one is wanted and there is one.
#[derive(Debug, Default)]
pub(super) struct Ready {
    /// Whose it is, once it is wanted.
    wanted: OnceLock<Weak<Prepared>>,
    child: Mutex<Option<(Circumstances, Standing)>>,
}

impl Ready {
    /// From now on a child of this enforcement is kept ready.
    pub(super) fn want(&self, of: &Arc<Prepared>) {
        self.wanted.get_or_init(|| Arc::downgrade(of));
        drop(self.renewal());
    }

    /// The child, if it can still be had.
    pub(super) fn take(&self) -> Option<Standing> {
        // A copy of this process may have it locked for ever by a thread that it does not have.
        let taken = match self.child.try_lock() {
            Ok(mut child) => child.take(),
            Err(TryLockError::Poisoned(child)) => child.into_inner().take(),
            Err(TryLockError::WouldBlock) => None,
        };
        let (circumstances, child) = taken?;
        let same = Circumstances::now().is_some_and(|now| now == circumstances);
        (same && child.is_alive() && child.is_open_to_this_thread()).then_some(child)
    }

    /// What has the next child started, if one is wanted.
    pub(super) fn renewal(&self) -> Option<Renewal> {
        self.wanted.get().cloned().map(Renewal)
    }
}

/// Has the next child started when it is dropped, which is when a program has ended or was not launched. Its steps
/// would hold up a program that runs meanwhile, on another processor too, for two may be one core.
#[derive(Debug)]
pub(crate) struct Renewal(Weak<Prepared>);

impl Drop for Renewal {
    fn drop(&mut self) {
        let of = Weak::clone(&self.0);
        // Without a thread there is no next child, and each launch starts its own.
        let _started_by_its_launch = aside::run(move || {
            if let Some(of) = of.upgrade() {
                fill(&of);
            }
        });
    }
}

/// Starts the next child, unless there is one. One that cannot be started now is no error: its launch tries again and
/// says what fails.
fn fill(of: &Prepared) {
    // Launches at once have asked for one each, and there is place for one. In a copy of this process it may be locked
    // for ever, as above.
    let has_place = match of.ready.child.try_lock() {
        Ok(child) => is_free(&child),
        Err(TryLockError::Poisoned(child)) => is_free(child.get_ref()),
        Err(TryLockError::WouldBlock) => false,
    };
    if !has_place {
        return;
    }
    if let Some(circumstances) = Circumstances::now()
        && let Ok(child) = start::stand(of, None)
    {
        *locked(&of.ready.child) = Some((circumstances, child));
    }
}

fn is_free(place: &Option<(Circumstances, Standing)>) -> bool {
    !place.as_ref().is_some_and(|(_, child)| child.is_alive())
}

/// What a child inherits and its thread alone decides. A child that was started before its launcher became somebody
/// else is still the other, and one of another thread lacks what the launching one has laid upon itself. Landlock
/// domains, which nobody can ask for, are told apart by [`Standing::is_open_to_this_thread`].
#[derive(Debug, PartialEq, Eq)]
struct Circumstances {
    user: ResUid,
    group: ResGid,
    groups: Vec<Gid>,
    no_new_privileges: bool,
    filters: u32,
}

impl Circumstances {
    /// Those of this thread, if all of them can be told.
    fn now() -> Option<Self> {
        // Nobody looks into a process that is not, so no domain could be seen.
        if dumpable_behavior().ok()? != DumpableBehavior::Dumpable {
            return None;
        }
        Some(Self {
            user: getresuid().ok()?,
            group: getresgid().ok()?,
            groups: getgroups().ok()?,
            no_new_privileges: no_new_privs().ok()?,
            filters: filters()?,
        })
    }
}

/// How many filters this thread has. The mode alone does not tell one that was added to another.
fn filters() -> Option<u32> {
    if secure_computing_mode().ok()? == SecureComputingMode::Disabled {
        return Some(0);
    }
    // Since Linux 5.9.
    let status = std::fs::read_to_string("/proc/thread-self/status").ok()?;
    status.lines().find_map(|line| line.strip_prefix("Seccomp_filters:"))?.trim().parse().ok()
}

/// What a thread that panicked left is whole: nothing here can panic between two changes.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::enforcement::Enforcement;
    use crate::policy::Limits;
    use nix::unistd::{Gid as Group, Uid};

    #[test]
    fn a_child_that_was_started_under_other_circumstances_is_not_used() {
        let changes: [fn(&mut Circumstances); 5] = [
            |it| it.user.effective = Uid::from_raw(it.user.effective.as_raw() ^ 1),
            |it| it.group.saved = Group::from_raw(it.group.saved.as_raw() ^ 1),
            |it| it.groups.push(Gid::from_raw(4_000_000)),
            |it| it.no_new_privileges = !it.no_new_privileges,
            |it| it.filters += 1,
        ];
        let prepared = Prepared::new(Enforcement::bare(Limits::default())).unwrap();
        for change in changes {
            fill(&prepared);
            assert!(prepared.ready.take().is_some());
            assert!(prepared.ready.take().is_none());
            fill(&prepared);
            change(&mut locked(&prepared.ready.child).as_mut().unwrap().0);
            assert!(prepared.ready.take().is_none());
        }
    }
}
