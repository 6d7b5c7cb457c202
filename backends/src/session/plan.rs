//! Linux. From what the host said to a session: policy, confinement, sweep, root, in this order, so that
//! nothing is left behind where the confinement cannot be applied.

use super::live::Live;
use super::root::{Base, Root, RootError};
use super::{Made, Mode, Session, SessionError};
use crate::backend::Backend;
use crate::events::{What, printable};
use crate::executor::Shelf;
use crate::linux::discover::{self, Python};
use crate::policy::{Bound, Kind, Limits, Place, Policy};
use crate::sweep::sweep;
use std::ffi::OsStr;
use std::io::Write;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicU64;

/// Where an interpreter without a path is searched: never in a place that the environment names.
const SEARCHED: &str = "/usr/local/bin:/usr/bin:/bin";

/// How often a base directory may vanish under a session that is made.
const ATTEMPTS: usize = 1_000;

#[derive(Debug)]
pub(super) struct Plan {
    pub(super) mode: Mode,
    pub(super) backend: Option<Box<dyn Backend>>,
    pub(super) base: PathBuf,
    pub(super) keep_out_of: Vec<PathBuf>,
    pub(super) python: PathBuf,
    pub(super) limits: Limits,
    pub(super) hook: bool,
}

/// The budgets of a program where the host states none: two minutes, 16 MiB of output, files of 256 MiB, a
/// run directory of 1 GiB and 100,000 entries.
/// A bound on address space is the host's to set; it costs each run a millisecond.
pub fn session_limits() -> Limits {
    Limits {
        wall_clock_milliseconds: Bound::At(120_000),
        cpu_seconds: Bound::At(120),
        file_size_bytes: Bound::At(1 << 28),
        output_bytes: Bound::At(1 << 24),
        run_directory_bytes: Bound::At(1 << 30),
        run_directory_entries: Bound::At(100_000),
        ..Limits::default()
    }
}

impl Plan {
    pub(super) fn make(&self, session: &Session) -> Result<Made, SessionError> {
        let python = discover::python(&self.python, OsStr::new(SEARCHED))?;
        let policy = policy(&python, self.limits.clone())?;
        let chosen = self.mode.backend();
        let backend = self.backend.as_deref().unwrap_or(&*chosen);
        let profile = backend.profile();
        let confinement =
            backend.prepare(&policy).inspect_err(|lost| session.tell(None, What::from(lost)))?;
        let audit_only = self.backend.is_none() && self.mode == Mode::AuditOnly;
        // Asked for by name, and confined, if by nothing that commits to the policy.
        let container = self.backend.is_none() && self.mode == Mode::Container;
        if confinement.commitment().is_none() && !audit_only && !container {
            return Err(SessionError::NotConfined { backend: backend.name().to_owned() });
        }
        let root = self.root(session, &policy, backend.name())?;
        confinement.keep_ready();
        if let Some(warning) = profile.warning {
            warn(warning);
        }
        let made = Made {
            live: Live::register(root),
            backend: backend.name().to_owned(),
            mechanism: profile.mechanism,
            hook: self.hook || audit_only,
            confinement,
            policy,
            python,
            shelf: Shelf::default(),
            runs: AtomicU64::new(0),
        };
        session.tell(
            Some(&made),
            What::Session {
                backend: made.backend.clone(),
                mechanism: made.mechanism.clone(),
                commitment: made.confinement.commitment(),
                warning: profile.warning.map(str::to_owned),
            },
        );
        Ok(made)
    }
}

impl Plan {
    /// Sweeps, and makes the root. A base directory that goes with the last session of another process in
    /// just this moment is made again.
    fn root(
        &self,
        session: &Session,
        policy: &Policy,
        backend: &str,
    ) -> Result<Root, SessionError> {
        let make = || -> Result<Root, SessionError> {
            let base = Base::open(&self.base, &self.keep_out_of)?;
            not_granted(base.path(), policy)?;
            tell_sweep(session, &base);
            Ok(Root::make(base, backend)?)
        };
        for _ in 1..ATTEMPTS {
            match make() {
                Err(SessionError::Root(RootError::BaseGone { .. })) => {}
                made => return made,
            }
        }
        make()
    }
}

/// Write only the run directory; read only it, the program's text, the interpreter's installation and what
/// the loader needs; execute only the interpreter.
fn policy(python: &Python, limits: Limits) -> Result<Policy, SessionError> {
    let mut builder = Policy::builder()
        .program_text()
        .environment("TMPDIR", "{run}/tmp")
        .limits(limits)
        .devices()?;
    for path in &python.needs.read {
        builder = builder.read(path)?;
    }
    for path in &python.needs.execute {
        builder = builder.execute(path)?;
    }
    Ok(builder.build()?)
}

/// A base directory in a granted one would open every session to every other.
fn not_granted(base: &Path, policy: &Policy) -> Result<(), SessionError> {
    for grant in policy.read().iter().chain(policy.write()) {
        if let (Place::Path(path), Kind::Directory) = (grant.place(), grant.kind())
            && base.starts_with(path)
        {
            return Err(SessionError::InsideGrant { root: base.to_owned(), grant: path.clone() });
        }
    }
    Ok(())
}

/// Removes what dead processes left. What goes wrong with that is told, and is no reason not to begin.
fn tell_sweep(session: &Session, base: &Base) {
    match sweep(base) {
        Ok(swept) => {
            for root in swept {
                let name = printable(root.root.as_bytes());
                session.tell(None, What::Sweep { root: name, findings: root.findings });
            }
        }
        Err(error) => {
            let finding = format!("the base directory cannot be swept: {error}");
            session.tell(None, What::Finding { run: None, finding });
        }
    }
}

/// Says on standard error what no host may overlook.
fn warn(warning: &str) {
    let _nobody_listens = writeln!(std::io::stderr(), "escapology: WARNING: {warning}");
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What all sessions of a user may read or write must not hold the roots of them.
    #[test]
    fn a_base_directory_inside_what_programs_are_granted_makes_no_session() {
        let folder = tempfile::tempdir().unwrap();
        let place = folder.path().canonicalize().unwrap();
        let (granted, beside) = (place.join("granted"), place.join("granted-not"));
        for directory in [&granted, &beside] {
            std::fs::create_dir(directory).unwrap();
        }
        let plan = |base: PathBuf| Plan {
            mode: Mode::Native,
            backend: None,
            base,
            keep_out_of: Vec::new(),
            python: "python3".into(),
            limits: session_limits(),
            hook: false,
        };
        let session = Session::builder().build();
        for policy in [
            Policy::builder().read(&granted).unwrap().build().unwrap(),
            Policy::builder().write(&granted).unwrap().build().unwrap(),
        ] {
            let root = |base: PathBuf| plan(base).root(&session, &policy, "native");
            let refused = root(granted.join("base"));
            assert!(matches!(refused, Err(SessionError::InsideGrant { .. })), "{refused:?}");
            assert!(root(beside.join("base")).unwrap().release().is_empty());
        }
    }
}
