//! Linux. The folders of a session that no program has. To make and to remove directories can take a file
//! system longer than everything else that a launcher does, so both happen beside a program that runs: the next
//! folder is made then, and what is left of an earlier one is removed. That is three empty directories: what a
//! program left in them goes when its run is dropped.
//!
//! No program is given a directory that another had. Where nothing commits to a policy, a program could
//! reach the shelf, so there is none: each folder is made and removed around its own program.

use super::RunError;
use super::folder::Folder;
use crate::aside;
use crate::session::{Live, Made};
use crate::sweep::remove_tree;
use std::ffi::CString;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Emptied folders that are removed while one program runs: more than come in.
const AT_ONCE: usize = 2;

/// Emptied folders that wait at most: where programs are refused, none runs in whose time they could go.
const WAITING: usize = 64;

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
    /// With the number of the program that had it.
    emptied: Vec<(u64, CString)>,
    /// What could not be removed of emptied ones.
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

    /// Removes what a program left and what was harvested of it. Returns what stayed of it and of others, with the
    /// number of the program that left it.
    pub(super) fn put_back(
        &self,
        made: &Made,
        folder: &Folder,
        harvests: u64,
        run: u64,
    ) -> Vec<(u64, Vec<String>)> {
        let mut stayed = std::mem::take(&mut self.state().stayed);
        if Self::is_used(made)
            && self.state().emptied.len() < WAITING
            && let Some(name) = folder.empty(made.live.root.directory(), harvests)
        {
            self.state().emptied.push((run, name));
        } else {
            stayed.push((run, folder.remove()));
        }
        stayed
    }

    /// Has a folder made for a program to come, and what is left of earlier ones removed, while a program runs. Where
    /// that cannot be done beside it, it is left to the next program and to the end of the session.
    pub(super) fn tend(&self, made: &Made) {
        if Self::is_used(made) {
            let (shelf, live) = (self.clone(), Arc::clone(&made.live));
            let _left_to_others = aside::run(move || shelf.work(&live));
        }
    }

    fn work(&self, live: &Live) {
        let Some(_root_stays) = live.upkeep() else { return };
        // One that cannot be made is no harm to the program that runs: the next says why it cannot begin.
        if let Ok(folder) = self.make(live) {
            self.state().ready.push(folder);
        }
        let emptied: Vec<(u64, CString)> = {
            let emptied = &mut self.state().emptied;
            let first = emptied.len().saturating_sub(AT_ONCE);
            emptied.drain(first..).collect()
        };
        for (run, name) in emptied {
            let findings = remove_tree(live.root.directory(), &name).findings();
            if !findings.is_empty() {
                self.state().stayed.push((run, findings));
            }
        }
    }
}
