//! The backend `wrapper`: any third-party sandbox, described by a TOML file that says how to start it.
//! The suite judges it by the same effects as everything else; what the file says of itself is only
//! which errnos to expect and which gaps it declares.

mod description;

pub use description::WrapperError;

use crate::backend::{Backend, Confinement, Gap, Profile};
use crate::child::{Child, Exit};
use crate::command::Command;
use crate::enforcement::Enforcement;
use crate::launch::{LaunchError, Prepared};
use crate::linux::discover::script;
use crate::policy::{Commitment, Grant, Limits, Place, Policy};
use crate::protection::{Protection, Reason, Support, Unavailable};
use crate::temporary::Temporary;
use description::{Description, GapEntry};
use std::ffi::OsString;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

/// A third-party sandbox.
#[derive(Clone, Debug)]
pub struct Wrapper {
    description: Description,
}

/// The shipped description of bubblewrap.
const BUBBLEWRAP: &str = include_str!("../wrappers/bwrap.toml");

impl Wrapper {
    /// Reads a wrapper file.
    ///
    /// # Errors
    /// See [`WrapperError`].
    pub fn from_file(path: &Path) -> Result<Self, WrapperError> {
        let text = std::fs::read_to_string(path)
            .map_err(|source| WrapperError::Read { path: path.to_owned(), source })?;
        Ok(Self { description: Description::of(&text, path)? })
    }

    /// The shipped wrapper for bubblewrap.
    ///
    /// # Errors
    /// Never, unless the shipped file is broken, which a test would see.
    pub fn bubblewrap() -> Result<Self, WrapperError> {
        Ok(Self { description: Description::of(BUBBLEWRAP, Path::new("bwrap.toml"))? })
    }
}

impl Backend for Wrapper {
    fn name(&self) -> &str {
        &self.description.name
    }

    fn profile(&self) -> Profile {
        let Description { mechanism, errnos, signals, silent, keeps_limits, gaps, .. } =
            self.description.clone();
        let gaps =
            gaps.into_iter().map(|GapEntry { escapes, reason }| Gap { escapes, reason }).collect();
        Profile {
            mechanism: Some(mechanism),
            layer: None,
            warning: None,
            errnos,
            signals,
            silent,
            keeps_limits,
            gaps,
        }
    }

    /// A wrapper claims no protection by itself: its escapes show what it holds.
    fn support(&self) -> Support {
        Support { protections: Vec::new() }
    }

    fn prepare(&self, policy: &Policy) -> Result<Box<dyn Confinement>, Unavailable> {
        let wrapped = self.wrap(policy, policy.limits().clone())?;
        self.try_out(policy)?;
        Ok(Box::new(wrapped))
    }
}

impl Wrapper {
    fn wrap(&self, policy: &Policy, limits: Limits) -> Result<Wrapped, Unavailable> {
        let first = self.description.start.first().map(String::as_str).unwrap_or_default();
        let program =
            find(first).ok_or_else(|| self.unavailable(format!("no program {first:?} on PATH")))?;
        let (program, script) = script::unfold(program, find)
            .map_err(|error| self.unavailable(format!("failed to {error}")))?;
        Ok(Wrapped {
            description: self.description.clone(),
            program,
            script,
            policy: policy.clone(),
            prepared: Prepared::new(Enforcement::bare(limits))?,
        })
    }

    /// Starts a harmless program in the sandbox, so that one which cannot start is unavailable and
    /// not a sandbox that denies everything.
    fn try_out(&self, policy: &Policy) -> Result<(), Unavailable> {
        let lost = |what: String| self.unavailable(what);
        let folder =
            Temporary::make("wrapper").map_err(|error| lost(format!("mkdtemp: {error}")))?;
        let limits = Limits {
            wall_clock_milliseconds: crate::policy::Bound::At(10_000),
            ..policy.limits().clone()
        };
        let wrapped = self.wrap(policy, limits)?;
        let command = Command::new("/bin/true", folder.path());
        let child = wrapped.launch(command).map_err(|error| lost(error.to_string()))?;
        let completed = child.wait().map_err(|error| lost(error.to_string()))?;
        match completed.ended.exit {
            Exit::Code(0) => Ok(()),
            Exit::Code(_) | Exit::Signal(_) => {
                let said: String =
                    String::from_utf8_lossy(&completed.error).chars().take(300).collect();
                Err(lost(format!(
                    "/bin/true in it ended with {:?}: {said:?}",
                    completed.ended.exit
                )))
            }
        }
    }

    fn unavailable(&self, reason: String) -> Unavailable {
        Unavailable {
            protection: Protection::FileRead,
            call: "execve",
            reason: Reason::Behaviour(format!("{}: {reason}", self.description.name)),
            remedy: "install the sandbox, or name its program in the wrapper file",
        }
    }
}

/// A policy under a third-party sandbox.
#[derive(Debug)]
struct Wrapped {
    description: Description,
    program: PathBuf,
    /// What stands before the sandbox's own arguments where it is a script: the script.
    script: Vec<OsString>,
    policy: Policy,
    prepared: Prepared,
}

impl Confinement for Wrapped {
    fn launch(&self, command: Command) -> Result<Child, LaunchError> {
        let mut arguments = self.script.clone();
        let text = command.program_text.as_deref();
        arguments.extend(self.sandbox_arguments(&command.run_directory, text));
        arguments.push(command.program.clone().into_os_string());
        arguments.extend(command.arguments);
        self.prepared.launch(Command {
            program: self.program.clone(),
            argument0: None,
            arguments,
            ..command
        })
    }

    /// Whether the sandbox applies the policy is what the suite finds out: nothing commits to it.
    fn commitment(&self) -> Option<Commitment> {
        None
    }

    fn artefact(&self) -> Vec<u8> {
        let arguments = self.sandbox_arguments(
            Path::new(crate::policy::RUN),
            Some(Path::new(crate::policy::PROGRAM)),
        );
        let mut bytes = self.program.as_os_str().as_bytes().to_vec();
        for argument in self.script.iter().chain(&arguments) {
            bytes.push(0);
            bytes.extend_from_slice(argument.as_bytes());
        }
        bytes
    }
}

impl Wrapped {
    fn sandbox_arguments(&self, run: &Path, text: Option<&Path>) -> Vec<OsString> {
        let run = run.as_os_str().as_bytes();
        let Description { start, each_read, each_write, each_variable, end, .. } =
            &self.description;
        let mut arguments = Vec::new();
        let mut add = |templates: &[String], values: &[(&str, &[u8])]| {
            for template in templates {
                let filled = values
                    .iter()
                    .chain(&[("{run}", run)])
                    .fold(template.as_bytes().to_vec(), |text, (symbol, value)| {
                        replace(&text, symbol.as_bytes(), value)
                    });
                arguments.push(OsString::from_vec(filled));
            }
        };
        add(start.get(1..).unwrap_or_default(), &[]);
        for path in paths(self.policy.read().iter().chain(self.policy.execute())) {
            add(each_read, &[("{path}", path.as_bytes())]);
        }
        let reads_text = self.policy.read().iter().any(|grant| *grant.place() == Place::Program);
        if let Some(text) = text.filter(|_text| reads_text) {
            add(each_read, &[("{path}", text.as_os_str().as_bytes())]);
        }
        for path in paths(self.policy.write()) {
            add(each_write, &[("{path}", path.as_bytes())]);
        }
        for (name, value) in self.policy.environment() {
            let value = replace(value.as_bytes(), b"{run}", run);
            add(each_variable, &[("{name}", name.as_bytes()), ("{value}", &value)]);
        }
        add(end, &[]);
        arguments
    }
}

fn paths<'a>(grants: impl IntoIterator<Item = &'a Grant>) -> impl Iterator<Item = &'a str> {
    grants.into_iter().filter_map(|grant| match grant.place() {
        Place::Path(path) => Some(path.as_str()),
        Place::Run | Place::Program => None,
    })
}

fn replace(text: &[u8], symbol: &[u8], value: &[u8]) -> Vec<u8> {
    let mut result = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.windows(symbol.len()).position(|window| window == symbol) {
        let (before, after) = rest.split_at(at);
        result.extend_from_slice(before);
        result.extend_from_slice(value);
        rest = after.get(symbol.len()..).unwrap_or_default();
    }
    result.extend_from_slice(rest);
    result
}

/// The program itself if it is a path, else the first one of that name on PATH.
fn find(program: &str) -> Option<PathBuf> {
    if program.contains('/') {
        return std::fs::canonicalize(program).ok();
    }
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path)
        .map(|folder| folder.join(program))
        .find(|candidate| candidate.is_file())
        .and_then(|found| found.canonicalize().ok())
}
