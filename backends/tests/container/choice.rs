//! Which runtime is taken: none that is absent, and none that lies.

use crate::place::{Place, Told};
use backends::backend::Backend;
use backends::container::{Container, Engine, Runtime, container};
use backends::events::Observer;
use backends::executor::{Program, RunError};
use backends::policy::{Limits, Policy};
use backends::session::{Session, SessionError};
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::sync::Arc;

pub(super) fn nothing_runs() {
    let place = Place::new();
    let empty = place.base().join("empty");
    fs::create_dir(&empty).unwrap();
    let told = Arc::new(Told::default());
    let witness = place.run().join("witness");
    let refused = container().searched_in(&empty).prepare(&policy());
    let lost = refused.unwrap_err();
    let said = lost.to_string();
    for name in ["crun", "runc", "podman", "execve", empty.to_str().unwrap(), lost.remedy] {
        assert!(said.contains(name), "{said}");
    }
    let session = Session::builder()
        .base(place.base().join("sessions"))
        .backend(container().searched_in(&empty))
        .observer(Arc::clone(&told) as Arc<dyn Observer>)
        .build();
    let refused = session.run(&Program::python(format!("open({witness:?}, 'w')")));
    assert!(matches!(refused, Err(RunError::Session(SessionError::Unavailable(_)))));
    let told = told.0.lock().unwrap();
    assert_eq!(told.len(), 1);
    assert_eq!(told[0]["event"], "SANDBOX_UNAVAILABLE");
    assert_eq!(told[0]["repairable"], false);
    assert!(!witness.exists() && !place.base().join("sessions").exists());
}

/// What a program that is no engine does, and why it is not used.
struct Lie {
    engine: Engine,
    script: &'static str,
    reason: &'static str,
}

/// The last act of a shell that is bare: it has looked, and starts a process.
const BARE: &str = "printf looked > looked; (exit 0) && exit 55";

const LIES: [Lie; 6] = [
    Lie { engine: Engine::Direct(Runtime::Runc), script: "exit 0", reason: "ended with Code(0)" },
    Lie { engine: Engine::Direct(Runtime::Runc), script: "exit 1", reason: "ended with Code(1)" },
    Lie { engine: Engine::Direct(Runtime::Runc), script: BARE, reason: "(start a process)" },
    Lie {
        engine: Engine::Podman(Runtime::Crun),
        script: "echo 'no such option' >&2; exit 125",
        reason: "no container with this end: Code(125): \"no such option",
    },
    Lie {
        engine: Engine::Podman(Runtime::Crun),
        script: "mkdir -p /run/tmp/events; echo '{\"Status\":\"died\"}' > /run/tmp/events/events.log",
        reason: "ended with Code(0)",
    },
    Lie {
        engine: Engine::Podman(Runtime::Crun),
        script: "mkdir -p /run/tmp/events
echo '{\"Status\":\"died\",\"ContainerExitCode\":55}' > /run/tmp/events/events.log
printf looked > looked; (exit 0) && exit 55",
        reason: "(start a process)",
    },
];

/// One that says yes to everything, one that starts nothing, and one that runs the program bare.
pub(super) fn a_liar_is_not_used() {
    let place = Place::new();
    for (number, Lie { engine, script, reason }) in LIES.into_iter().enumerate() {
        let folder = place.base().join(format!("lie-{number}"));
        fs::create_dir(&folder).unwrap();
        install(&folder, engine.program(), script);
        for name in ["sh", "unshare", "cat"] {
            symlink(Path::new("/usr/bin").join(name), folder.join(name)).unwrap();
        }
        let refused = Container::of(engine).searched_in(&folder).prepare(&policy());
        let said = refused.unwrap_err().to_string();
        assert!(said.contains(&format!("{}: ", engine.name())) && said.contains(reason), "{said}");
    }
}

fn policy() -> Policy {
    Place::policy(Limits::default())
}

fn install(folder: &Path, name: &str, script: &str) {
    fs::write(folder.join(name), format!("#!/bin/sh\n{script}\n")).unwrap();
    fs::set_permissions(folder.join(name), fs::Permissions::from_mode(0o755)).unwrap();
}

/// Of docker there may be a client alone.
pub(super) fn docker_is_no_engine() {
    let place = Place::new();
    let folder = place.base().join("programs");
    fs::create_dir(&folder).unwrap();
    let reason = || {
        let refused = container().searched_in(&folder).prepare(&policy()).unwrap_err();
        refused.to_string()
    };
    assert!(!reason().contains("docker"));
    install(&folder, "docker", "exit 0");
    let said = reason();
    assert!(said.contains("docker: its daemon") && said.contains("install crun"), "{said}");
}
