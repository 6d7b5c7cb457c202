//! Linux. The backend `container`: an existing runtime makes a container for each program, from a bundle that
//! is written for it. Opt-in: it is slower than `native`, and holds what it holds by other means.
//!
//! Namespaces of every kind but time, no capability, no gain of privileges, a read-only root of what is
//! granted, the run directory as the only place to write, no network but an empty one, and the strict filter
//! as far as a runtime can apply it. One container per program, because what a program leaves in a shared one
//! (processes, its directory) is there for the next: see ARCHITECTURE.md.

mod bundle;
mod filter;
mod runtime;
mod traces;
mod trial;

pub use runtime::Runtime;
pub(crate) use traces::Traces;

use crate::backend::{Backend, Confinement, Gap, Profile};
use crate::child::Child;
use crate::command::Command;
use crate::enforcement::{Enforcement, Environment};
use crate::launch::{LaunchError, Prepared, open_granted};
use crate::layered::strict_filter;
use crate::linux::view::view;
use crate::native::{FUTEXES, LOCKS, WATCHES};
use crate::policy::{Bound, Commitment, Grant, Limits, PROGRAM, Place, Policy, RUN};
use crate::protection::{Protection, Reason, Support, Unavailable};
use bundle::Description;
use runtime::{Installed, SEARCHED};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;
use std::sync::OnceLock;

/// Its name, and that of each container: a launch has a place of its own for what a runtime keeps by name.
const NAME: &str = "container";

/// The runtime's log in a bundle.
const LOG: &str = "log";

/// How namespaces deny: what is not there, what is read-only, what an empty network answers.
const NAMESPACES: [i32; 12] = [
    libc::EPERM,
    libc::ENOENT,
    libc::ESRCH,
    libc::ENXIO,
    libc::EBADF,
    libc::EACCES,
    libc::EXDEV,
    libc::EINVAL,
    libc::EROFS,
    libc::ENETUNREACH,
    libc::ECONNREFUSED,
    libc::EADDRNOTAVAIL,
];

/// How the filter denies.
const FILTER: [i32; 2] = [libc::ENOSYS, libc::EOPNOTSUPP];

/// A container runtime of this host.
#[derive(Clone, Debug)]
pub struct Container {
    name: &'static str,
    runtimes: Vec<Runtime>,
    searched: OsString,
    chosen: OnceLock<Result<Installed, String>>,
}

/// The first runtime of [`Runtime::ALL`] that works on this host.
pub fn container() -> Container {
    Container {
        name: NAME,
        runtimes: Runtime::ALL.to_vec(),
        searched: SEARCHED.into(),
        chosen: OnceLock::new(),
    }
}

impl Container {
    /// This runtime and no other.
    pub fn of(runtime: Runtime) -> Self {
        Self { name: runtime.name(), runtimes: vec![runtime], ..container() }
    }

    /// Searches runtimes, the shell and unshare(1) in these directories alone, separated by colons.
    #[must_use]
    pub fn searched_in(self, directories: impl Into<OsString>) -> Self {
        Self { searched: directories.into(), chosen: OnceLock::new(), ..self }
    }

    /// The first runtime that works, found out once; or why none does.
    fn installed(&self) -> Result<&Installed, &str> {
        let chosen = self.chosen.get_or_init(|| self.choose());
        chosen.as_ref().map_err(String::as_str)
    }

    fn choose(&self) -> Result<Installed, String> {
        let mut reasons = Vec::new();
        for runtime in &self.runtimes {
            let found = Installed::find(*runtime, &self.searched);
            let tried = found.map_err(trial::Why::from).and_then(|found| {
                trial::try_out(&found, &self.searched)?;
                Ok(found)
            });
            match tried {
                Ok(found) => return Ok(found),
                Err(why) => reasons.push(format!("{}: {why}", runtime.name())),
            }
        }
        Err(reasons.join("; "))
    }
}

impl Backend for Container {
    fn name(&self) -> &str {
        self.name
    }

    fn profile(&self) -> Profile {
        let proc = self.installed().is_ok_and(|found| found.runtime.needs_proc());
        let of_proc: &[(&str, &str)] = if proc { PROC_GAPS } else { &[] };
        let gaps = GAPS.iter().chain(of_proc).map(|(escapes, reason)| Gap {
            escapes: (*escapes).to_owned(),
            reason: (*reason).to_owned(),
        });
        Profile {
            mechanism: self.installed().ok().map(|found| found.runtime.mechanism().to_owned()),
            layer: None,
            warning: None,
            errnos: NAMESPACES.into_iter().chain(FILTER).collect(),
            signals: [libc::SIGSYS].into(),
            silent: true,
            keeps_limits: true,
            gaps: gaps.collect(),
        }
    }

    /// As of a wrapper: its escapes show what it holds.
    fn support(&self) -> Support {
        Support { protections: Vec::new() }
    }

    fn prepare(&self, policy: &Policy) -> Result<Box<dyn Confinement>, Unavailable> {
        let installed = self.installed().map_err(|why| unavailable(why.to_owned()))?;
        Ok(Box::new(Contained::new(installed.clone(), policy)?))
    }
}

const THREADS: &str =
    "without a control group of its own a container does not bound the threads of a program";

const EXECUTE: &str = "a runtime executes the program under the filter, which cannot tell that execution from the next";

const HOST: &str = "sysinfo(2) tells the memory of the host: no namespace hides it";

const GAPS: &[(&str, &str)] = &[
    ("exec/ldso", EXECUTE),
    ("exec/re-exec", EXECUTE),
    ("exec/threads*", THREADS),
    ("fs-write/lock.granted", LOCKS),
    ("ipc/futex-wait*", FUTEXES),
    ("kernel/user-quota.watches*", WATCHES),
    ("metadata/host.memory", HOST),
];

/// Where `/proc` is in the container, it is a further name of the program.
const PROC_GAPS: &[(&str, &str)] = &[("exec/re-exec.proc", EXECUTE)];

/// A runtime that failed after it was seen to work.
pub(crate) fn failed(said: &str) -> Unavailable {
    unavailable(said.to_owned())
}

fn unavailable(reason: String) -> Unavailable {
    Unavailable {
        protection: Protection::FileRead,
        call: "execve",
        reason: Reason::Behaviour(reason),
        remedy: "install crun or runc and allow this user to create user namespaces, or ask for another mode",
    }
}

/// A policy in containers.
#[derive(Debug)]
struct Contained {
    installed: Installed,
    description: Description,
    /// What was granted, to be looked at again before each launch: a runtime mounts by name.
    granted: Vec<Grant>,
    prepared: Prepared,
}

impl Contained {
    fn new(installed: Installed, policy: &Policy) -> Result<Self, Unavailable> {
        let description = Description {
            view: view(policy),
            filter: strict_filter()?,
            environment: policy.environment().clone(),
            limits: policy.limits().clone(),
            proc: installed.runtime.needs_proc(),
        };
        let least = installed.runtime.least_address_space();
        if description.limits.address_space_bytes < Bound::At(least) {
            let name = installed.runtime.name();
            return Err(unavailable(format!(
                "{name} starts under the program's own bound of address space and needs {least} bytes of it"
            )));
        }
        let description = description.of().map_err(|device| unavailable(device.to_string()))?;
        let grants = policy.read().iter().chain(policy.execute()).chain(policy.write());
        Ok(Self {
            prepared: Prepared::new(launcher(policy.limits()))?,
            installed,
            description,
            granted: grants.cloned().collect(),
        })
    }
}

/// What the runtime itself gets: nothing of the host's environment or descriptors, which it would read or
/// pass on. The limits that bind a process are the program's, not the runtime's.
fn launcher(limits: &Limits) -> Enforcement {
    let mut enforcement = Enforcement::bare(Limits {
        cpu_seconds: Bound::Unlimited,
        address_space_bytes: Bound::Unlimited,
        file_size_bytes: Bound::Unlimited,
        open_files: Bound::Unlimited,
        ..limits.clone()
    });
    let path = ("PATH".to_owned(), SEARCHED.to_owned());
    enforcement.hygiene.environment = Environment::Exactly(BTreeMap::from([path]));
    enforcement.hygiene.close_descriptors = true;
    enforcement.hygiene.no_new_privileges = true;
    enforcement
}

impl Confinement for Contained {
    fn launch(&self, command: Command) -> Result<Child, LaunchError> {
        for grant in &self.granted {
            if let Place::Path(path) = grant.place() {
                open_granted(&path.into(), grant.kind(), grant.identity())?;
            }
        }
        // It goes with the launch where the host has no folder for it.
        let (kept, folder) = match &command.bundle {
            Some(folder) => (None, folder.clone()),
            None => {
                let kept = tempfile::Builder::new().prefix("escapology-container-").tempdir();
                let kept = kept.map_err(LaunchError::resource("mkdir"))?;
                let folder = kept.path().to_owned();
                (Some(kept), folder)
            }
        };
        self.description.write(&folder, &command)?;
        let arguments = self.installed.arguments(&folder, NAME);
        let mut child = self.prepared.launch(Command {
            program: self.installed.unshare.clone(),
            argument0: None,
            arguments,
            surroundings: Vec::new(),
            ..command
        })?;
        child.leaves(Traces {
            log: folder.join(LOG),
            cpu_seconds: self.description.limits.cpu_seconds,
            _goes_with_it: kept,
        });
        Ok(child)
    }

    /// A third party applies the policy: nothing commits to it.
    fn commitment(&self) -> Option<Commitment> {
        None
    }

    fn artefact(&self) -> Vec<u8> {
        let mut command = Command::new(PROGRAM, RUN);
        command.program_text = Some(PathBuf::from(PROGRAM));
        let config = self.description.config(&command).unwrap_or_default();
        let arguments = self.installed.arguments(RUN.as_ref(), NAME);
        let mut bytes = config.to_string().into_bytes();
        for argument in arguments {
            bytes.push(0);
            bytes.extend_from_slice(argument.as_bytes());
        }
        bytes
    }
}
