//! Linux. The live sessions of this process and their running programs, so that a host which ends by another
//! way than dropping its sessions can release them all.

use super::root::Root;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, PidfdFlags, Signal, pidfd_open, pidfd_send_signal};
use std::collections::BTreeMap;
use std::os::fd::OwnedFd;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard, Weak};

/// How long a killed program may take to die before its directory is removed all the same.
const DEATH: Timespec = Timespec { tv_sec: 5, tv_nsec: 0 };

static LIVE: Mutex<Vec<Weak<Live>>> = Mutex::new(Vec::new());

/// A session root and what runs in it.
#[derive(Debug)]
pub(crate) struct Live {
    pub(crate) root: Root,
    state: Mutex<State>,
    /// Held by those who make something in the root beside the host; the release waits for them.
    upkeep: RwLock<()>,
}

#[derive(Debug, Default)]
struct State {
    released: bool,
    running: BTreeMap<u64, OwnedFd>,
}

/// A running program, until this is dropped.
#[derive(Debug)]
pub(crate) struct Running<'live> {
    live: &'live Live,
    number: u64,
}

impl Running<'_> {
    /// Whether the session was released since.
    pub(crate) fn was_released(&self) -> bool {
        self.live.state().released
    }
}

impl Drop for Running<'_> {
    fn drop(&mut self) {
        self.live.state().running.remove(&self.number);
    }
}

impl Live {
    pub(super) fn register(root: Root) -> Arc<Self> {
        let live = Arc::new(Self { root, state: Mutex::default(), upkeep: RwLock::default() });
        let mut all = LIVE.lock().unwrap_or_else(PoisonError::into_inner);
        all.retain(|other| other.strong_count() > 0);
        all.push(Arc::downgrade(&live));
        live
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes a program that was just launched and is not reaped; `None` if the session is released, or the
    /// program cannot be noted. It must be killed then.
    pub(crate) fn running(&self, number: u64, pid: u32) -> Option<Running<'_>> {
        let mut state = self.state();
        let pid = i32::try_from(pid).ok().and_then(Pid::from_raw)?;
        // Not reaped, so the number is still its own.
        let process = pidfd_open(pid, PidfdFlags::empty()).ok()?;
        if state.released {
            return None;
        }
        state.running.insert(number, process);
        drop(state);
        Some(Running { live: self, number })
    }

    /// Keeps the root in its place until what is returned is dropped; `None` if the session is released.
    pub(crate) fn upkeep(&self) -> Option<RwLockReadGuard<'_, ()>> {
        let upkeep = self.upkeep.read().unwrap_or_else(PoisonError::into_inner);
        (!self.state().released).then_some(upkeep)
    }

    /// Kills what runs, waits for its death, and removes the root. `None` if that happened before, or in a
    /// process that was forked off the one that owns the session.
    pub(super) fn release(&self) -> Option<Vec<String>> {
        if !self.root.is_ours() {
            return None;
        }
        let processes: Vec<OwnedFd> = {
            let mut state = self.state();
            if std::mem::replace(&mut state.released, true) {
                return None;
            }
            std::mem::take(&mut state.running).into_values().collect()
        };
        for process in &processes {
            let _dead_already = pidfd_send_signal(process, Signal::KILL);
        }
        for process in &processes {
            let _removed_all_the_same =
                poll(&mut [PollFd::new(process, PollFlags::IN)], Some(&DEATH));
        }
        drop(self.upkeep.write().unwrap_or_else(PoisonError::into_inner));
        Some(self.root.release())
    }
}

/// Releases every session of this process: kills their programs, removes their roots. Returns what could not
/// be removed. For a host that is about to end; its sessions run nothing any more.
pub fn release_all() -> Vec<String> {
    let live: Vec<Arc<Live>> = LIVE
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .iter()
        .filter_map(Weak::upgrade)
        .collect();
    live.iter().filter_map(|live| live.release()).flatten().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::root::Base;

    /// A program that was launched while its session was released must be killed by whoever launched it: nobody
    /// else knows of it any more.
    #[test]
    #[expect(clippy::disallowed_methods, reason = "a process to be noted, which nothing confines")]
    fn a_released_session_takes_note_of_no_program() {
        let folder = tempfile::tempdir().unwrap();
        let base = Base::open(&folder.path().join("base"), &[]).unwrap();
        let live = Live::register(Root::make(base, "native").unwrap());
        let mut program = std::process::Command::new("sleep").arg("1000").spawn().unwrap();
        let noted = live.running(1, program.id()).map(|running| running.was_released());
        assert_eq!(noted, Some(false));
        assert_eq!(live.release(), Some(Vec::new()));
        assert!(live.running(2, program.id()).is_none());
        program.kill().unwrap();
        program.wait().unwrap();
    }
}
