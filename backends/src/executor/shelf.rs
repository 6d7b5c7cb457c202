//! Linux. The folders of a session that no program has. To make and to remove directories can take a file
//! system longer than everything else that a launcher does, so both happen beside the host: the next folder is made
//! when a program has ended, and what it left is removed once its run is dropped.
//!
//! No program is given a directory that another had. Where nothing commits to a policy, a program could
//! reach the shelf, so there is none: each folder is made and removed around its own program.

use super::RunError;
use super::folder::Folder;
use crate::aside;
use crate::session::{Live, Made};
use crate::sweep::remove_tree;
use std::ffi::CStr;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Folders that wait for their removal at most: what programs leave is as large as their quota, and a host that runs
/// them faster than it can go waits for it.
const WAITING: usize = 2;

/// The folders that are ready, and those that are over.
#[derive(Clone, Debug, Default)]
pub(crate) struct Shelf(Arc<Inner>);

#[derive(Debug, Default)]
struct Inner {
    serial: AtomicU64,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    ready: Vec<Folder>,
    /// How many are over and not removed yet.
    waiting: usize,
    /// What could not be removed, with the number of the program that left it.
    stayed: Vec<(u64, Vec<String>)>,
}

impl Shelf {
    fn state(&self) -> MutexGuard<'_, State> {
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn is_used(made: &Made) -> bool {
        made.confinement.commitment().is_some()
    }

    /// A fresh folder.
    pub(super) fn take(&self, made: &Made) -> Result<Folder, RunError> {
        let ready = self.state().ready.pop();
        ready.map_or_else(|| self.make(&made.live), Ok)
    }

    fn make(&self, live: &Live) -> Result<Folder, RunError> {
        let number = self.0.serial.fetch_add(1, Ordering::Relaxed) + 1;
        Folder::make(live.root.path(), number)
    }

    /// Takes a folder out of the way, with what its program left and what was harvested of it, and has it removed.
    pub(super) fn put_back(&self, made: &Made, folder: &Folder, run: u64) {
        if Self::is_used(made) && self.may_wait() {
            if let Some(name) = folder.set_aside(made.live.root.directory()) {
                // Where nothing can be done beside the host, it goes with the session.
                self.beside(made, move |shelf, live| shelf.clear(live, run, &name));
                return;
            }
            self.state().waiting -= 1;
        }
        self.note(run, folder.remove());
    }

    /// Whether there is place for one more to wait for its removal, which is taken.
    fn may_wait(&self) -> bool {
        let mut state = self.state();
        let free = state.waiting < WAITING;
        state.waiting += usize::from(free);
        free
    }

    fn note(&self, run: u64, findings: Vec<String>) {
        if !findings.is_empty() {
            self.state().stayed.push((run, findings));
        }
    }

    /// What could not be removed since this was asked last, with the number of the program that left it.
    pub(crate) fn stayed(&self) -> Vec<(u64, Vec<String>)> {
        std::mem::take(&mut self.state().stayed)
    }

    /// Has a folder made for a program to come.
    pub(super) fn tend(&self, made: &Made) {
        if Self::is_used(made) {
            self.beside(made, Self::fill);
        }
    }

    /// Does something in the root, unless that is gone by then.
    fn beside(&self, made: &Made, work: impl FnOnce(&Self, &Live) + Send + 'static) {
        let (shelf, live) = (self.clone(), Arc::clone(&made.live));
        let _left_to_others = aside::run(move || {
            if let Some(_root_stays) = live.upkeep() {
                work(&shelf, &live);
            }
        });
    }

    /// Makes one, unless one is ready. One that cannot be made is no error here: the next program says why it cannot
    /// begin.
    fn fill(&self, live: &Live) {
        if self.state().ready.is_empty()
            && let Ok(folder) = self.make(live)
        {
            self.state().ready.push(folder);
        }
    }

    fn clear(&self, live: &Live, run: u64, name: &CStr) {
        self.note(run, remove_tree(live.root.directory(), name).findings());
        self.state().waiting -= 1;
    }
}
