//! How a program in a container ends: by itself, by a limit, with its host, or not at all because its runtime failed.

use crate::place::{Place, asked_for, command, living_in, seeing, text, until};
use backends::backend::Backend;
use backends::child::{Cause, Exit, WaitError};
use backends::command::Command;
use backends::container::{Container, Engine, Runtime};
use backends::policy::{Bound, Limits};
use std::path::Path;

pub(super) fn limits(engine: Engine) {
    let place = Place::new();
    let run = |limits: Limits, text: &str| {
        let confinement = Container::of(engine).prepare(&Place::policy(limits)).unwrap();
        confinement.launch(place.command(text)).unwrap().wait().unwrap()
    };
    let wall = Limits { wall_clock_milliseconds: Bound::At(1_000), ..Limits::default() };
    let late = run(wall, "import time\nprint('began', flush=True)\ntime.sleep(1000)");
    assert_eq!(late.ended.cause, Some(Cause::WallClock));
    let file = Limits { file_size_bytes: Bound::At(1_000), ..Limits::default() };
    let large = "open('file', 'wb', 0).write(b'x' * 1_000)\nopen('file', 'ab', 0).write(b'x')";
    assert_ne!(run(file, large).ended.exit, Exit::Code(0));
    assert_eq!(run(Limits::default(), large).ended.exit, Exit::Code(0));
    // A runtime holds one for each granted place while it mounts them.
    let files = Limits { open_files: Bound::At(40), ..Limits::default() };
    let open = "kept = [open('/dev/null') for _ in range(60)]";
    assert_ne!(run(files, open).ended.exit, Exit::Code(0));
    assert_eq!(run(Limits::default(), open).ended.exit, Exit::Code(0));
    let memory = |bytes| Limits { address_space_bytes: Bound::At(bytes), ..Limits::default() };
    let (enough, little) = match engine.runtime() {
        Runtime::Crun => (1 << 28, 1 << 20),
        Runtime::Runc => (1 << 32, 1 << 30),
    };
    let many = &format!("print(len(bytes({})))", enough + (1 << 28));
    let said = text(&run(memory(enough), many));
    assert!(said.contains("MemoryError"), "{said}");
    assert_eq!(run(Limits::default(), many).ended.exit, Exit::Code(0));
    // A file without a name counts, though it is not the launched process that has it open.
    let disk = Limits { run_directory_bytes: Bound::At(1 << 20), ..Limits::default() };
    let unnamed = "import os, time
file = open('file', 'wb', 0)
os.unlink('file')
file.write(b'x' * (1 << 23))
time.sleep(1000)";
    assert_eq!(run(disk, unnamed).ended.cause, Some(Cause::RunDirectory));
    // What a runtime itself needs is refused before anything runs.
    let refused = Container::of(engine).prepare(&Place::policy(memory(little)));
    assert!(refused.unwrap_err().to_string().contains("address space"));
}

pub(super) fn fails(engine: Engine) {
    let place = Place::new();
    let confinement = Container::of(engine).prepare(&Place::policy(Limits::default())).unwrap();
    let run = |command: Command| confinement.launch(command).unwrap().wait();
    // What is not granted is not there.
    let failed = run(Command::new("/bin/true", place.run()));
    assert!(matches!(failed, Err(WaitError::Sandbox { .. })), "{failed:?}");
    let failed = run(place.command("import sys\nsys.exit(1)")).unwrap();
    assert_eq!(failed.ended.exit, Exit::Code(1));
    let killed = run(place.command("import ctypes\nctypes.string_at(0)")).unwrap();
    assert_eq!((killed.ended.exit, killed.ended.cause), (Exit::Signal(11), None));
    let spinning = Limits { cpu_seconds: Bound::At(1), ..Limits::default() };
    let confinement = Container::of(engine).prepare(&Place::policy(spinning)).unwrap();
    let spun = confinement.launch(place.command("while True: pass")).unwrap().wait().unwrap();
    assert_eq!(spun.ended.cause, Some(Cause::CpuTime), "{spun:?}");
}

const SLEEPER: &str = "open('began', 'w')\nimport time\ntime.sleep(1000)";

pub(super) fn kill(engine: Engine) {
    let place = Place::new();
    let confinement = Container::of(engine).prepare(&Place::policy(Limits::default())).unwrap();
    let child = confinement.launch(place.command(SLEEPER)).unwrap();
    until(|| place.run().join("began").exists());
    assert_eq!(living_in(&place.run()).len(), 1);
    assert!(!seeing(&place.run()).is_empty());
    drop(child);
    until(|| seeing(&place.run()).is_empty());
}

/// A host that follows its program, which sleeps.
pub(super) fn host(run: &Path) {
    let confinement =
        Container::of(asked_for()).prepare(&Place::policy(Limits::default())).unwrap();
    let mut sleeper = command(run, SLEEPER);
    // It is not removed by a host that was killed.
    sleeper.bundle = run.parent().map(|base| base.join("bundle"));
    confinement.launch(sleeper).unwrap().wait().unwrap();
}

#[expect(clippy::disallowed_methods, reason = "a host that is killed is a process of its own")]
pub(super) fn host_killed(engine: Engine) {
    let place = Place::new();
    let mut host = std::process::Command::new(std::env::current_exe().unwrap())
        .env("ESCAPOLOGY_TEST_SLEEPING", place.run())
        .env("ESCAPOLOGY_TEST_ENGINE", engine.name())
        .spawn()
        .unwrap();
    let began = place.run().join("began");
    until(|| began.exists() || host.try_wait().unwrap().is_some());
    assert_eq!(living_in(&place.run()).len(), 1);
    assert!(!seeing(&place.run()).is_empty());
    host.kill().unwrap();
    host.wait().unwrap();
    until(|| seeing(&place.run()).is_empty());
}
