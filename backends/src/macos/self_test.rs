//! macOS. The self-test: tools of the system are started under the production profile, and for each
//! protection one of them tries what must be denied. The same act is tried bare first, so that what
//! this host denies anyway is not taken for Seatbelt's. It is done once a process and answers for all
//! policies, because every profile is made of the same rules.

use super::bare::Applied;
use super::host;
use super::launch::Setup;
use crate::backend::Confinement;
use crate::child::{Completed, Exit};
use crate::command::Command;
use crate::policy::{Bound, Limits, Policy};
use crate::protection::{Protection, State};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::Duration;
use std::{fs, io};

/// What one act of the self-test is.
struct Act {
    protection: Protection,
    program: &'static str,
    arguments: fn(&World) -> Vec<OsString>,
    /// Whether the act had its effect.
    happened: fn(&World, &Completed) -> bool,
}

/// Where the acts take place.
struct World {
    run: PathBuf,
    outside: PathBuf,
    listener: TcpListener,
}

const ACTS: [Act; 11] = [
    Act {
        protection: Protection::FileRead,
        program: "/bin/cat",
        arguments: |world| vec![world.outside.join("secret").into()],
        happened: |_, completed| completed.output == b"secret",
    },
    // A second name and a clone are operations of their own, which allow of their own accord.
    Act {
        protection: Protection::FileRead,
        program: "/bin/ln",
        arguments: |world| {
            vec![world.outside.join("secret").into(), world.run.join("linked").into()]
        },
        happened: |world, _| fs::remove_file(world.run.join("linked")).is_ok(),
    },
    Act {
        protection: Protection::FileRead,
        program: "/bin/cp",
        arguments: |world| {
            let [secret, cloned] = [world.outside.join("secret"), world.run.join("cloned")];
            vec!["-c".into(), secret.into(), cloned.into()]
        },
        happened: |world, _| fs::remove_file(world.run.join("cloned")).is_ok(),
    },
    Act {
        protection: Protection::FileWrite,
        program: "/usr/bin/touch",
        arguments: |world| vec![world.outside.join("planted").into()],
        happened: |world, _| fs::remove_file(world.outside.join("planted")).is_ok(),
    },
    Act {
        protection: Protection::FileAttributes,
        program: "/bin/chmod",
        arguments: |world| vec!["0640".into(), world.outside.join("secret").into()],
        happened: |world, _| {
            let secret = world.outside.join("secret");
            let changed = fs::metadata(&secret)
                .is_ok_and(|metadata| metadata.permissions().mode() & 0o777 == 0o640);
            let restored = fs::set_permissions(&secret, fs::Permissions::from_mode(0o600));
            changed || restored.is_err()
        },
    },
    Act {
        protection: Protection::Spawn,
        program: "/bin/bash",
        arguments: |_| vec!["-c".into(), "(: > spawned); :".into()],
        happened: |world, _| fs::remove_file(world.run.join("spawned")).is_ok(),
    },
    Act {
        protection: Protection::Execute,
        program: "/bin/bash",
        arguments: |_| {
            // The own image again, and another one.
            let again = "exec /bin/bash -c ': > executed'; exec /usr/bin/touch executed";
            vec!["-c".into(), format!("shopt -s execfail; {again}").into()]
        },
        happened: |world, _| fs::remove_file(world.run.join("executed")).is_ok(),
    },
    Act {
        protection: Protection::Network,
        program: "/usr/bin/nc",
        arguments: |world| {
            let port = world.listener.local_addr().map_or(0, |address| address.port());
            ["-z", "-w", "5", "127.0.0.1"]
                .map(OsString::from)
                .into_iter()
                .chain([port.to_string().into()])
                .collect()
        },
        happened: |world, _| world.listener.accept().is_ok(),
    },
    Act {
        protection: Protection::OtherProcesses,
        program: "/bin/kill",
        arguments: |_| vec!["-0".into(), std::process::id().to_string().into()],
        happened: |_, completed| completed.ended.exit == Exit::Code(0),
    },
    Act {
        protection: Protection::KernelSurface,
        program: "/usr/sbin/sysctl",
        arguments: |_| vec!["-n".into(), "kern.boottime".into()],
        happened: |_, completed| !completed.output.is_empty(),
    },
    Act {
        protection: Protection::Environment,
        program: "/usr/bin/env",
        arguments: |_| Vec::new(),
        happened: |_, completed| {
            completed.output.windows(CANARY.len()).any(|window| window == CANARY.as_bytes())
        },
    },
];

/// A variable of the launcher that no program under a profile gets.
const CANARY: &str = "ESCAPOLOGY_SELF_TEST=1";

/// What the self-test saw, or why it could not be made.
pub(super) fn answers() -> &'static Result<BTreeMap<Protection, State>, String> {
    static ANSWERS: OnceLock<Result<BTreeMap<Protection, State>, String>> = OnceLock::new();
    ANSWERS.get_or_init(test)
}

fn test() -> Result<BTreeMap<Protection, State>, String> {
    let failed = |call: &str, error: io::Error| format!("self-test: {call}: {error}");
    let folder = tempfile::tempdir().map_err(|error| failed("mkdtemp", error))?;
    let base = folder.path().canonicalize().map_err(|error| failed("realpath", error))?;
    let world = World {
        run: base.join("run"),
        outside: base.join("outside"),
        listener: TcpListener::bind("127.0.0.1:0").map_err(|error| failed("bind", error))?,
    };
    world.listener.set_nonblocking(true).map_err(|error| failed("fcntl", error))?;
    fs::create_dir(&world.run).map_err(|error| failed("mkdir", error))?;
    fs::create_dir(&world.outside).map_err(|error| failed("mkdir", error))?;
    fs::write(world.outside.join("secret"), b"secret").map_err(|error| failed("write", error))?;
    fs::set_permissions(world.outside.join("secret"), fs::Permissions::from_mode(0o600))
        .map_err(|error| failed("chmod", error))?;
    fs::write(world.run.join("own"), b"own").map_err(|error| failed("write", error))?;
    works(&world)?;
    let mut answers = BTreeMap::new();
    for act in &ACTS {
        // A protection of which one act is not held is not there, whatever the others show.
        let state = judge(act, &world)?;
        let known = answers.entry(act.protection).or_insert(State::Active);
        if state != State::Active {
            *known = state;
        }
    }
    // The launch of every act closed all descriptors but three, or it would have failed; that an open
    // one is not inherited is seen by the program that lists its own.
    answers.insert(Protection::Descriptors, descriptors(&world)?);
    Ok(answers)
}

/// Under the profile a program reads its own file: a sandbox in which nothing works shows nothing.
fn works(world: &World) -> Result<(), String> {
    let completed = run(world, "/bin/cat", vec![world.run.join("own").into()], true)?;
    if completed.output == b"own" {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&completed.error).into_owned();
    Err(format!(
        "self-test: a program cannot read its own file ({:?}): {said:?}",
        completed.ended.exit
    ))
}

fn judge(act: &Act, world: &World) -> Result<State, String> {
    let bare = run(world, act.program, (act.arguments)(world), false)?;
    if !(act.happened)(world, &bare) {
        return Ok(State::Unavailable(format!("{} fails here without Seatbelt, too", act.program)));
    }
    let confined = run(world, act.program, (act.arguments)(world), true)?;
    Ok(if (act.happened)(world, &confined) {
        State::Unavailable(format!("{} got through", act.program))
    } else {
        State::Active
    })
}

/// A descriptor of this process, not closed on execution, is not seen inside.
fn descriptors(world: &World) -> Result<State, String> {
    let file = fs::File::open(world.outside.join("secret"))
        .map_err(|error| format!("self-test: open: {error}"))?;
    let inherited = rustix::io::dup(&file).map_err(|error| format!("self-test: dup: {error}"))?;
    let number = std::os::fd::AsRawFd::as_raw_fd(&inherited);
    let act = |confined| {
        let script = format!("read -r line <&{number}; printf %s \"$line\"");
        run(world, "/bin/bash", vec!["-c".into(), script.into()], confined)
    };
    let saw = |completed: &Completed| completed.output == b"secret";
    if !saw(&act(false)?) {
        return Ok(State::Unavailable("a descriptor is not inherited without Seatbelt".to_owned()));
    }
    rustix::fs::seek(&file, rustix::fs::SeekFrom::Start(0))
        .map_err(|error| format!("self-test: lseek: {error}"))?;
    Ok(if saw(&act(true)?) {
        State::Unavailable("a descriptor of the launcher was inherited".to_owned())
    } else {
        State::Active
    })
}

/// Runs a tool of the system to its end, bare or under the production profile.
fn run(
    world: &World,
    program: &str,
    arguments: Vec<OsString>,
    confined: bool,
) -> Result<Completed, String> {
    let said = |error: &dyn std::fmt::Display| format!("self-test: {program}: {error}");
    let wall = Bound::At(u64::try_from(Duration::from_secs(20).as_millis()).unwrap_or(20_000));
    let limits = Limits { wall_clock_milliseconds: wall, ..Limits::default() };
    let policy = Policy::builder()
        .limits(limits)
        .devices()
        .and_then(|builder| builder.execute(Path::new(program)))
        .and_then(crate::policy::PolicyBuilder::build)
        .map_err(|error| said(&error))?;
    let mut setup = host::setup(&policy).map_err(|error| said(&error))?;
    if !confined {
        setup = Setup { profile: None, environment: None, close_descriptors: false, ..setup };
    }
    let mut command = Command::new(program, &world.run);
    command.arguments = arguments;
    if let Some((name, value)) = CANARY.split_once('=') {
        command.surroundings = vec![(name.into(), value.into())];
    }
    let applied = Applied { setup, commitment: None };
    let child = applied.launch(command).map_err(|error| said(&error))?;
    child.wait().map_err(|error| said(&error))
}
