//! Linux. One sandbox for a session of a host program: made on first use, outside every tree that the host's
//! referee reads, released on every way out.
//!
//! ```no_run
//! use backends::executor::Program;
//! use backends::harvest::HarvestLimits;
//! use backends::session::Session;
//!
//! let session = Session::builder().keep_out_of(["/home/user/project"]).build();
//! let run = session.run(&Program::python("open('answer.txt', 'w').write('42')"))?;
//! assert!(run.outcome().is_success());
//! let harvest = run.harvest("*.txt", &HarvestLimits::default())?;
//! assert_eq!(harvest.files()[0].read()?, b"42");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A program runs in the thread that calls [`Session::run`], which returns when it is dead. Several threads
//! may run programs in one session at once: each has its own directory, and none sees another's.
//!
//! A session keeps a child ready for its next program, see [`Confinement::keep_ready`] for what that means for a host.

mod builder;
mod error;
mod live;
mod mode;
mod plan;
pub(crate) mod root;
mod signals;

pub use builder::SessionBuilder;
pub use error::SessionError;
pub use live::release_all;
pub use mode::{Mode, UnknownMode};
pub use plan::session_limits;
pub use root::{Base, RootError};
pub use signals::{SignalError, release_on_signals};

use crate::backend::Confinement;
use crate::events::{Observer, What};
use crate::executor::{self, Program, Run, RunError, Shelf};
use crate::linux::discover::Python;
use crate::policy::Policy;
pub(crate) use live::Live;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// A session. Dropping it removes its root, with whatever is in it.
#[derive(Debug)]
pub struct Session {
    pub(crate) observer: Option<Arc<dyn Observer>>,
    plan: plan::Plan,
    making: Mutex<()>,
    made: OnceLock<Made>,
}

/// What a session is once its first program was asked for.
#[derive(Debug)]
pub(crate) struct Made {
    pub(crate) live: Arc<Live>,
    pub(crate) confinement: Box<dyn Confinement>,
    pub(crate) backend: String,
    pub(crate) mechanism: Option<String>,
    pub(crate) policy: Policy,
    pub(crate) python: Python,
    pub(crate) hook: bool,
    pub(crate) shelf: Shelf,
    runs: AtomicU64,
}

impl Made {
    pub(crate) fn next_run(&self) -> u64 {
        self.runs.fetch_add(1, Ordering::Relaxed) + 1
    }
}

impl Session {
    /// Begins a session.
    pub fn builder() -> SessionBuilder {
        SessionBuilder::default()
    }

    /// Runs one program to its end, in a fresh directory of its own.
    ///
    /// # Errors
    /// When the program did not run or could not be followed. However it ended is no error.
    pub fn run(&self, program: &Program) -> Result<Run<'_>, RunError> {
        let made = self.made()?;
        let run = executor::run(self, made, program);
        if let Err(RunError::Unavailable(lost)) = &run {
            self.tell(Some(made), What::from(lost));
        }
        run
    }

    /// What every program of this session may do. Makes the session if that has not happened.
    ///
    /// # Errors
    /// When the session cannot be made.
    pub fn policy(&self) -> Result<&Policy, SessionError> {
        Ok(&self.made()?.policy)
    }

    /// Ends the session and says what could not be removed. Dropping it does the same in silence.
    pub fn close(self) -> Vec<String> {
        self.release()
    }

    fn made(&self) -> Result<&Made, SessionError> {
        let _one_at_a_time = self.making.lock().unwrap_or_else(PoisonError::into_inner);
        let made = match self.made.get() {
            Some(made) => made,
            None => {
                let made = self.plan.make(self)?;
                self.made.get_or_init(|| made)
            }
        };
        let root = &made.live.root;
        if root.is_ours() {
            return Ok(made);
        }
        Err(SessionError::OfAnother { root: root.path().to_owned() })
    }

    fn release(&self) -> Vec<String> {
        let Some(made) = self.made.get() else { return Vec::new() };
        let Some(findings) = made.live.release() else { return Vec::new() };
        for (run, findings) in made.shelf.stayed() {
            self.tell_findings(made, run, findings);
        }
        let runs = made.runs.load(Ordering::Relaxed);
        self.tell(Some(made), What::Released { runs, findings: findings.clone() });
        findings
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        let _told_to_the_observer = self.release();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sys::in_a_copy;

    /// A program of the copy would be given a directory that one of its parent is given, too.
    #[test]
    fn a_copy_of_a_host_neither_runs_in_its_session_nor_removes_what_is_in_it() {
        let folder = tempfile::tempdir().unwrap();
        let session = Session::builder().base(folder.path().join("base")).build();
        let program = Program::python("open('kept', 'w').write('1')");
        let run = session.run(&program).unwrap();
        let is_refused = || {
            let again = session.run(&program);
            matches!(again, Err(RunError::Session(SessionError::OfAnother { .. })))
        };
        assert!(!is_refused());
        let (refused, run) = (in_a_copy(is_refused), in_a_copy_dropped(run));
        assert!(refused);
        // In the process that ran it, it is all there, and goes.
        let harvest = run.harvest("kept", &crate::harvest::HarvestLimits::default()).unwrap();
        assert_eq!(harvest.files()[0].read().unwrap(), b"1");
        drop(run);
        assert_eq!(session.close(), [""; 0]);
    }

    /// The run, after a copy of this process has dropped its copy of it.
    fn in_a_copy_dropped(run: Run<'_>) -> Run<'_> {
        let run = std::cell::Cell::new(Some(run));
        assert!(in_a_copy(|| {
            drop(run.take());
            true
        }));
        run.take().unwrap()
    }
}
