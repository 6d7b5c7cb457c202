//! Linux. What a host says of a session before it is made.

use super::plan::{Plan, session_limits};
use super::root::Base;
use super::{Mode, Session};
use crate::backend::Backend;
use crate::events::Observer;
use crate::policy::Limits;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock};

/// Collects what a host says of a session.
#[derive(Debug)]
pub struct SessionBuilder {
    plan: Plan,
    observer: Option<Arc<dyn Observer>>,
}

impl Default for SessionBuilder {
    fn default() -> Self {
        Self {
            plan: Plan {
                mode: Mode::Auto,
                backend: None,
                base: Base::default_path(),
                keep_out_of: Vec::new(),
                python: PathBuf::from("python3"),
                limits: session_limits(),
                hook: false,
            },
            observer: None,
        }
    }
}

impl SessionBuilder {
    /// Trees in which the session's root must not lie, because somebody reads them to judge what the host
    /// did. A root inside one of them is an error.
    #[must_use]
    pub fn keep_out_of<P: Into<PathBuf>>(mut self, trees: impl IntoIterator<Item = P>) -> Self {
        self.plan.keep_out_of.extend(trees.into_iter().map(Into::into));
        self
    }

    /// The directory that holds the roots of this user's sessions. It must be private; it is made if its
    /// parent exists. On a file system of this machine: locks decide which sessions live.
    #[must_use]
    pub fn base(mut self, path: impl Into<PathBuf>) -> Self {
        self.plan.base = path.into();
        self
    }

    /// What confines the programs.
    #[must_use]
    pub fn mode(mut self, mode: Mode) -> Self {
        self.plan.mode = mode;
        self
    }

    /// A backend in the place of the mode's. It must commit to the policy that it applies.
    #[must_use]
    pub fn backend(mut self, backend: impl Backend + 'static) -> Self {
        self.plan.backend = Some(Box::new(backend));
        self
    }

    /// The Python interpreter: a path, or a name that is searched in `/usr/local/bin`, `/usr/bin` and
    /// `/bin`. It is run once, unconfined, to say what it needs.
    #[must_use]
    pub fn python(mut self, path: impl AsRef<Path>) -> Self {
        self.plan.python = path.as_ref().to_owned();
        self
    }

    /// The budgets of each program.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        self.plan.limits = limits;
        self
    }

    /// Puts the Python hook before each program too: refusals come earlier, and a start takes longer. In the
    /// mode `audit-only` it always stands there.
    #[must_use]
    pub fn hook(mut self, hook: bool) -> Self {
        self.plan.hook = hook;
        self
    }

    /// Who is told of what happens.
    #[must_use]
    pub fn observer(mut self, observer: Arc<dyn Observer>) -> Self {
        self.observer = Some(observer);
        self
    }

    /// The session. Nothing is made before its first program.
    pub fn build(self) -> Session {
        let Self { plan, observer } = self;
        Session { observer, plan, making: Mutex::new(()), made: OnceLock::new() }
    }
}
