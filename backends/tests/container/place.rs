//! What the tests share: a place with a secret, a Python program with its policy, and what is told of it.

use backends::backend::Backend;
use backends::child::Completed;
use backends::command::Command;
use backends::container::Engine;
use backends::discover;
use backends::events::{Event, Observer};
use backends::policy::{Limits, Policy, PolicyBuilder};
use serde_json::Value;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::Duration;

/// A run directory and a secret beside it, under a Python program's policy.
pub(super) struct Place {
    folder: tempfile::TempDir,
}

impl Place {
    pub(super) fn new() -> Self {
        let place = Self { folder: tempfile::tempdir().unwrap() };
        fs::create_dir(place.run()).unwrap();
        fs::write(place.secret(), "token").unwrap();
        place
    }

    pub(super) fn base(&self) -> PathBuf {
        self.folder.path().canonicalize().unwrap()
    }

    pub(super) fn run(&self) -> PathBuf {
        self.base().join("run")
    }

    pub(super) fn secret(&self) -> PathBuf {
        self.base().join("secret")
    }

    pub(super) fn policy(limits: Limits) -> Policy {
        needed(Policy::builder().limits(limits))
    }

    pub(super) fn command(&self, text: &str) -> Command {
        command(&self.run(), text)
    }

    pub(super) fn completed(&self, backend: &dyn Backend, text: &str) -> Completed {
        let confinement = backend.prepare(&Self::policy(Limits::default())).unwrap();
        confinement.launch(self.command(text)).unwrap().wait().unwrap()
    }
}

/// With what the interpreter needs.
pub(super) fn needed(mut builder: PolicyBuilder) -> Policy {
    let needs = python().needs;
    for path in &needs.read {
        builder = builder.read(path).unwrap();
    }
    for path in &needs.execute {
        builder = builder.execute(path).unwrap();
    }
    builder.devices().unwrap().build().unwrap()
}

pub(super) fn command(run: &Path, text: &str) -> Command {
    let mut command = Command::new(python().needs.image, run);
    command.arguments = ["-I", "-S", "-c", text].map(Into::into).into();
    command
}

pub(super) fn python() -> discover::Python {
    discover::python(Path::new("python3"), OsStr::new("/usr/local/bin:/usr/bin:/bin")).unwrap()
}

pub(super) fn text(completed: &Completed) -> String {
    let Completed { output, error, .. } = completed;
    format!("{}{}", String::from_utf8_lossy(output), String::from_utf8_lossy(error))
}

/// Each act by itself, with the name of the exception that it ended in, or what it gave.
pub(super) const ACTS: &str = "
def act(name, function):
    try:
        print(name, function())
    except BaseException as error:
        print(name, type(error).__name__)
";

#[derive(Debug, Default)]
pub(super) struct Told(pub(super) Mutex<Vec<Value>>);

impl Observer for Told {
    fn event(&self, event: &Event) {
        self.0.lock().unwrap().push(serde_json::to_value(event).unwrap());
    }
}

/// The processes whose working directory is this one: a container has it under the same name.
pub(super) fn living_in(directory: &Path) -> Vec<String> {
    let entries = fs::read_dir("/proc").unwrap().flatten();
    entries
        .filter(|entry| fs::read_link(entry.path().join("cwd")).is_ok_and(|cwd| cwd == directory))
        .filter(|entry| {
            fs::read(entry.path().join("cmdline"))
                .is_ok_and(|line| line.windows(6).any(|part| part == b"python"))
        })
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect()
}

/// The processes in whose mount namespace something below this directory is mounted: those of a launch.
pub(super) fn seeing(directory: &Path) -> Vec<String> {
    let entries = fs::read_dir("/proc").unwrap().flatten();
    let mounted = directory.to_str().unwrap();
    entries
        .filter(|entry| {
            fs::read_to_string(entry.path().join("mountinfo"))
                .is_ok_and(|mounts| mounts.contains(mounted))
        })
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect()
}

/// The engine that a test asks its other process to use.
pub(super) fn asked_for() -> Engine {
    let name = std::env::var("ESCAPOLOGY_TEST_ENGINE").unwrap();
    Engine::ALL.into_iter().find(|engine| engine.name() == name).unwrap()
}

pub(super) fn until(mut condition: impl FnMut() -> bool) {
    while !condition() {
        std::thread::sleep(Duration::from_millis(5));
    }
}
