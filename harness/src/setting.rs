//! What every trial on this host shares: the program under trial, the Python interpreter, the folder
//! for worlds, and the policy for each runtime.

use backends::discover::{self, DiscoverError, Needs, Python};
use backends::hook::{HookPolicy, HookRules};
use backends::policy::{Bound, GrantError, Limits, Policy};
use reports::record::Runtime;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

/// Where programs are looked for, whatever the caller's own PATH is.
const STANDARD_PATH: &str = "/usr/local/bin:/usr/bin:/bin";

/// What a trial may use. Far above what an honest escape needs, far below what would stall a run.
pub(crate) const LIMITS: Limits = Limits {
    wall_clock_milliseconds: Bound::At(20_000),
    cpu_seconds: Bound::At(60),
    address_space_bytes: Bound::Unlimited,
    file_size_bytes: Bound::At(1 << 30),
    open_files: Bound::At(4_096),
    output_bytes: Bound::At(1 << 27),
    run_directory_bytes: Bound::At(1 << 30),
    run_directory_entries: Bound::At(1 << 18),
};

/// The setting of a run.
#[derive(Clone, Debug)]
pub struct Setting {
    /// Where worlds are built.
    pub base: PathBuf,
    /// This binary: the native program under trial, and the helper processes of a world.
    pub native: Needs,
    /// The base Python interpreter.
    pub python: Option<Python>,
    /// How the hook of every program is changed, for the mutation gate.
    #[cfg(target_os = "linux")]
    pub hook_edits: Vec<backends::mutant::HookEdit>,
}

/// Why no trial can run on this host.
#[derive(Debug, thiserror::Error)]
pub enum SettingError {
    /// The program under trial is missing.
    #[error("the program under trial: {0}")]
    Program(DiscoverError),
    /// The path of this binary is unknown.
    #[error("the program under trial: readlink /proc/self/exe: {0}")]
    Image(std::io::Error),
    /// The Python interpreter is missing or cannot be confined.
    #[error(
        "the python runtime: {0}; name an interpreter with ESCAPOLOGY_PYTHON, or leave `python` out of --runtime"
    )]
    Python(DiscoverError),
    /// The folder for worlds cannot be used.
    #[error("the folder for worlds {path:?}: realpath: {source}")]
    Base {
        /// The folder.
        path: PathBuf,
        /// The call's error.
        source: std::io::Error,
    },
    /// The policy of a trial cannot be built.
    #[error("the policy of a trial: {0}")]
    Policy(#[from] GrantError),
    /// An earlier run's worlds cannot be swept.
    #[error("sweep worlds of dead runs in {path:?}: {source}")]
    Sweep {
        /// The folder.
        path: PathBuf,
        /// The call's error.
        source: std::io::Error,
    },
}

impl Setting {
    /// Finds the program under trial and, if Python is asked for, the interpreter.
    ///
    /// # Errors
    /// When a runtime that was asked for cannot run here: never skipped in silence.
    pub fn find(runtimes: &[Runtime]) -> Result<Self, SettingError> {
        let folder = std::env::temp_dir();
        let base =
            folder.canonicalize().map_err(|source| SettingError::Base { path: folder, source })?;
        let image = std::env::current_exe().map_err(SettingError::Image)?;
        let native =
            discover::program(&image, OsStr::new(STANDARD_PATH)).map_err(SettingError::Program)?;
        let python = if runtimes.contains(&Runtime::Python) {
            Some(find_python().map_err(SettingError::Python)?)
        } else {
            None
        };
        Ok(Self {
            base,
            native,
            python,
            #[cfg(target_os = "linux")]
            hook_edits: Vec::new(),
        })
    }

    /// What starts this binary as a helper process of a world.
    pub fn helper(&self) -> Vec<OsString> {
        vec![self.native.image.clone().into_os_string(), crate::stage::STAGE.into()]
    }

    /// The policy of a trial: the program and what it needs to start, and the run directory.
    ///
    /// # Errors
    /// When a path that the program needs cannot be granted.
    pub fn policy(&self, runtime: Runtime) -> Result<Policy, SettingError> {
        Ok(policy_for(self.needs(runtime), LIMITS)?)
    }

    /// The policy of a trial with some limits narrower.
    ///
    /// # Errors
    /// As [`Setting::policy`].
    pub fn narrowed(
        &self,
        runtime: Runtime,
        narrow: fn(&mut Limits),
    ) -> Result<Policy, SettingError> {
        let mut limits = LIMITS;
        narrow(&mut limits);
        Ok(policy_for(self.needs(runtime), limits)?)
    }

    fn needs(&self, runtime: Runtime) -> &Needs {
        match (runtime, &self.python) {
            (Runtime::Python, Some(python)) => &python.needs,
            (Runtime::Native, _) | (Runtime::Python, None) => &self.native,
        }
    }

    /// The policy of a system program that may read some files beside what it needs to start.
    ///
    /// # Errors
    /// When the program, or a path that it needs, cannot be granted.
    pub fn policy_of<'a>(
        &self,
        program: &Path,
        reads: impl Iterator<Item = &'a Path>,
    ) -> Result<(Policy, Needs), SettingError> {
        let mut needs =
            discover::program(program, OsStr::new(STANDARD_PATH)).map_err(SettingError::Program)?;
        needs.read.extend(reads.map(Path::to_owned));
        Ok((policy_for(&needs, LIMITS)?, needs))
    }

    /// What the hook of a program in this run directory is given.
    pub fn hook(&self, run: &Path) -> (HookPolicy, HookRules) {
        #[cfg_attr(not(target_os = "linux"), expect(unused_mut, reason = "changed on Linux only"))]
        let (mut policy, mut rules) = (self.hook_policy(run), HookRules::standard());
        #[cfg(target_os = "linux")]
        self.hook_edits.iter().for_each(|edit| edit.apply(&mut policy, &mut rules));
        (policy, rules)
    }

    /// The same policy for the hook of a program in this run directory.
    pub fn hook_policy(&self, run: &Path) -> HookPolicy {
        let read =
            self.python.iter().flat_map(|python| python.needs.read.iter().cloned()).collect();
        HookPolicy {
            native_modules: self
                .python
                .iter()
                .flat_map(|python| python.needs.read.iter().cloned())
                .collect(),
            read,
            write: [run.to_owned(), PathBuf::from("/dev/null")].into(),
        }
    }
}

/// A policy that lets one program start.
///
/// # Errors
/// When a path that the program needs cannot be granted.
pub fn policy_for(needs: &Needs, limits: Limits) -> Result<Policy, GrantError> {
    Policy::builder().limits(limits).devices()?.needs(needs)?.build()
}

/// The interpreter that `ESCAPOLOGY_PYTHON` names, else `python3`.
fn find_python() -> Result<Python, DiscoverError> {
    let named = std::env::var_os("ESCAPOLOGY_PYTHON");
    let name = named.unwrap_or_else(|| "python3".into());
    discover::python(Path::new(&name), OsStr::new(STANDARD_PATH))
}
