//! Linux. The backend `container`: an existing engine makes a container for each program, from a bundle that
//! is written for it. Opt-in: it is slower than `native`, and holds what it holds by other means.
//!
//! Namespaces of every kind but time, no capability, no gain of privileges, a read-only root of what is
//! granted, the run directory as the only place to write, no network but an empty one, and the strict filter
//! as far as a runtime can apply it. One container per program, because what a program leaves in a shared one
//! (processes, its directory) is there for the next: see ARCHITECTURE.md.

mod bundle;
mod engine;
mod filter;
mod podman;
mod profile;
mod runtime;
mod traces;
mod trial;

pub use engine::Engine;
pub use runtime::Runtime;
pub(crate) use traces::Traces;

use crate::backend::{Backend, Confinement, Profile};
use crate::child::Child;
use crate::command::Command;
use crate::enforcement::{Enforcement, Environment};
use crate::launch::{LaunchError, Prepared, open_granted};
use crate::layered::strict_filter;
use crate::linux::view::view;
use crate::policy::{Bound, Commitment, Grant, Limits, PROGRAM, Place, Policy, RUN};
use crate::protection::{Protection, Reason, Support, Unavailable};
use crate::temporary::Temporary;
use bundle::Description;
use engine::{Installed, SEARCHED, find};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;
use std::sync::OnceLock;

/// Its name, and that of each container: a launch has a place of its own for what a runtime keeps by name.
const NAME: &str = "container";

/// The runtime's log in a bundle.
const LOG: &str = "log";

/// Why a host has no container though it has docker.
const DOCKER: &str =
    "docker: its daemon makes containers outside the launch, which it would outlive";

/// What makes containers on this host.
#[derive(Clone, Debug)]
pub struct Container {
    name: &'static str,
    engines: Vec<Engine>,
    searched: OsString,
    chosen: OnceLock<Result<Installed, String>>,
}

/// The first of [`Engine::ALL`] that works on this host.
pub fn container() -> Container {
    Container {
        name: NAME,
        engines: Engine::ALL.to_vec(),
        searched: SEARCHED.into(),
        chosen: OnceLock::new(),
    }
}

impl Container {
    /// Podman and nothing else, with the first runtime that works.
    pub fn podman() -> Self {
        let mut podman = container();
        podman.name = "podman";
        podman.engines.retain(|engine| matches!(engine, Engine::Podman(_)));
        podman
    }

    /// This one and no other.
    pub fn of(engine: Engine) -> Self {
        Self { name: engine.name(), engines: vec![engine], ..container() }
    }

    /// Searches engines, the shell and unshare(1) in these directories alone, separated by colons.
    #[must_use]
    pub fn searched_in(self, directories: impl Into<OsString>) -> Self {
        Self { searched: directories.into(), chosen: OnceLock::new(), ..self }
    }

    /// The first engine that works, found out once; or why none does.
    fn installed(&self) -> Result<&Installed, &str> {
        let chosen = self.chosen.get_or_init(|| self.choose());
        chosen.as_ref().map_err(String::as_str)
    }

    fn choose(&self) -> Result<Installed, String> {
        let mut reasons = Vec::new();
        for engine in &self.engines {
            let found = Installed::find(*engine, &self.searched);
            let tried = found.map_err(trial::Why::from).and_then(|found| {
                trial::try_out(&found, &self.searched)?;
                Ok(found)
            });
            match tried {
                Ok(found) => return Ok(found),
                Err(why) => reasons.push(format!("{}: {why}", engine.name())),
            }
        }
        if find("docker", &self.searched).is_some() {
            reasons.push(DOCKER.to_owned());
        }
        Err(reasons.join("; "))
    }
}

impl Backend for Container {
    fn name(&self) -> &str {
        self.name
    }

    fn profile(&self) -> Profile {
        profile::of(self.installed().ok().map(|found| found.engine))
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

/// An engine that failed after it was seen to work.
pub(crate) fn failed(said: &str) -> Unavailable {
    unavailable(said.to_owned())
}

fn unavailable(reason: String) -> Unavailable {
    Unavailable {
        protection: Protection::FileRead,
        call: "execve",
        reason: Reason::Behaviour(reason),
        remedy: "install crun, runc or podman and allow this user to create user namespaces, or ask for another mode",
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
            engine: installed.engine,
        };
        let least = installed.engine.runtime().least_address_space();
        if description.limits.address_space_bytes < Bound::At(least) {
            let name = installed.engine.name();
            return Err(unavailable(format!(
                "{name} starts under the program's own bound of address space and needs {least} bytes of it"
            )));
        }
        let description = description.of().map_err(|device| unavailable(device.to_string()))?;
        let grants = policy.read().iter().chain(policy.execute()).chain(policy.write());
        Ok(Self {
            prepared: Prepared::new(launcher(installed.engine, policy.limits()))?,
            installed,
            description,
            granted: grants.cloned().collect(),
        })
    }
}

/// What the engine itself gets: nothing of the host's environment or descriptors, which it would read or
/// pass on. The limits that bind a process are the program's, not the engine's.
fn launcher(engine: Engine, limits: &Limits) -> Enforcement {
    let mut enforcement = Enforcement::bare(Limits {
        cpu_seconds: Bound::Unlimited,
        address_space_bytes: Bound::Unlimited,
        file_size_bytes: Bound::Unlimited,
        open_files: Bound::Unlimited,
        ..limits.clone()
    });
    let mut variables = BTreeMap::from([("PATH".to_owned(), SEARCHED.to_owned())]);
    if let Engine::Podman(_) = engine {
        variables.insert("HOME".to_owned(), podman::HOME.to_owned());
    }
    enforcement.hygiene.environment = Environment::Exactly(variables);
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
                let kept = Temporary::make("container").map_err(LaunchError::resource("mkdir"))?;
                let folder = kept.path().to_owned();
                (Some(kept), folder)
            }
        };
        self.description.write(&folder, &command)?;
        if let Some(cat) = &self.installed.cat {
            let furnished = podman::furnish(&folder, bundle::text(cat.as_os_str())?);
            furnished.map_err(LaunchError::resource("write what podman needs"))?;
        }
        let arguments = self.installed.arguments(&folder, NAME);
        let mut child = self.prepared.launch(Command {
            program: self.installed.unshare.clone(),
            argument0: None,
            arguments,
            surroundings: Vec::new(),
            ..command
        })?;
        child.leaves(Traces {
            engine: self.installed.engine,
            bundle: folder,
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
