//! Useful work, done twice: bare and confined. What it leaves is looked at from outside.

use crate::host;
use crate::performance::finish;
use crate::plan::{Selection, columns};
use crate::rig::Rig;
use crate::scene;
use crate::setting::Setting;
use crate::stage::STAGE;
use crate::trial::{PYTHON_STAGE, python};
use crate::useful::{Program, UsefulWork, Work, in_run};
use backends::backend::Backend;
use backends::command::{Command, Input};
use backends::none::none;
use backends::policy::Policy;
use fixtures::world::World;
use reports::record::{Finish, Runtime, Useful, UsefulCell, UsefulRun};
use std::ffi::OsString;
use std::path::Path;

/// Bytes of standard error that a record keeps.
const REMARK: usize = 2_000;

/// What carries a piece of work.
pub fn runtime(work: &Work) -> Runtime {
    match work {
        Work::Native(_) | Work::Program(_) => Runtime::Native,
        Work::Python(_) => Runtime::Python,
    }
}

/// Why this host cannot do a piece of work, if it cannot.
pub fn lacks(case: &UsefulWork) -> Option<String> {
    case.needs().into_iter().find_map(host::lacks)
}

/// Plans the useful work of every usable rig: each piece in each column that it is meant for, whatever
/// this host lacks.
pub fn cells(
    useful: &[&'static UsefulWork],
    rigs: &[Rig],
    runtimes: &[Runtime],
    selection: &Selection,
) -> Vec<(&'static UsefulWork, UsefulCell)> {
    let mut cells = Vec::new();
    for rig in rigs.iter().filter(|rig| rig.facts.unavailable.is_none()) {
        for case in useful.iter().filter(|case| selection.takes(case.id)) {
            let carrier = runtime(&case.work);
            if !runtimes.contains(&carrier) {
                continue;
            }
            for hook in columns(carrier).iter().filter(|hook| !**hook || case.hook) {
                let backend = rig.name().to_owned();
                let cell =
                    UsefulCell { backend, runtime: carrier, hook: *hook, case: case.id.to_owned() };
                cells.push((*case, cell));
            }
        }
    }
    cells
}

/// Does a piece of work bare and confined, unless this host lacks what it needs.
pub fn perform(setting: &Setting, rigs: &[Rig], case: &UsefulWork, cell: &UsefulCell) -> Useful {
    let done = |control, confined| Useful { cell: cell.clone(), control, confined };
    if let Some(evidence) = lacks(case) {
        let control = UsefulRun { absent: Some(evidence), ..not_started(String::new()) };
        return done(control.clone(), control);
    }
    let control = once(setting, &none(), case, None);
    if control.absent.is_some() {
        return done(control, not_started("the control shows that the host lacks it".to_owned()));
    }
    let confined = match rigs.iter().find(|rig| rig.name() == cell.backend) {
        Some(rig) => once(setting, rig.backend(), case, Some(cell.hook)),
        None => not_started(format!("no backend {}", cell.backend)),
    };
    done(control, confined)
}

fn not_started(remark: String) -> UsefulRun {
    UsefulRun { finish: Finish::NotStarted, proved: false, absent: None, remark }
}

/// Does a piece of work once, in a world of its own: bare, or confined with or without the hook.
pub(crate) fn once(
    setting: &Setting,
    backend: &dyn Backend,
    case: &UsefulWork,
    confined: Option<bool>,
) -> UsefulRun {
    match World::build(&setting.base, &[], &setting.helper()) {
        Ok(world) => {
            let run =
                in_world(setting, backend, case, confined, &world).unwrap_or_else(not_started);
            let left = world.sweep();
            UsefulRun { remark: [vec![run.remark], left].concat().join("; "), ..run }
        }
        Err(error) => not_started(format!("build the world: {error}")),
    }
}

fn in_world(
    setting: &Setting,
    backend: &dyn Backend,
    case: &UsefulWork,
    confined: Option<bool>,
    world: &World,
) -> Result<UsefulRun, String> {
    let run = world.run();
    let (policy, mut command) = match case.work {
        Work::Program(program) => of_the_host(setting, &program, run)?,
        Work::Native(_) => {
            let mut command = Command::new(&setting.native.image, run);
            command.arguments = vec![STAGE.into(), case.id.into()];
            command.arguments.extend(clues(world));
            (setting.policy(Runtime::Native).map_err(|error| error.to_string())?, command)
        }
        Work::Python(text) => {
            let text = format!("{PYTHON_STAGE}\n\n{text}\n\n_work(work)\n");
            let hook = confined == Some(true);
            let command = python(setting, run, &text, &clues(world), hook)?;
            (setting.policy(Runtime::Python).map_err(|error| error.to_string())?, command)
        }
    };
    command.input = Input::Empty;
    let confinement = backend.prepare(&policy).map_err(|error| error.to_string())?;
    let child = confinement.launch(command).map_err(|error| error.to_string())?;
    let completed = child.wait().map_err(|error| error.to_string())?;
    Ok(looked_at(case, world, &completed, confined.is_some()))
}

/// A furnished run directory, and the launch of a program of the host in it.
fn of_the_host(
    setting: &Setting,
    program: &Program,
    run: &Path,
) -> Result<(Policy, Command), String> {
    if let Some(prepare) = program.prepare {
        prepare(run).map_err(|error| format!("prepare {run:?}: {error}"))?;
    }
    let path = in_run(program.path, run);
    let reads = program.reads.iter().map(Path::new).filter(|path| path.exists());
    let (policy, needs) =
        setting.policy_of(Path::new(&path), reads).map_err(|error| error.to_string())?;
    let mut command = Command::new(&needs.image, run);
    command.argument0 = Some(needs.argument0);
    command.arguments = needs.prefix_arguments;
    command.arguments.extend(program.arguments.iter().map(|argument| in_run(argument, run)));
    Ok((policy, command))
}

fn clues(world: &World) -> Vec<OsString> {
    let mut clues: Vec<OsString> =
        world.clues().iter().map(|(key, value)| scene::argument(key, value)).collect();
    clues.push(scene::argument("nonce", world.nonce().as_ref()));
    clues
}

/// What is seen of finished work from outside. The end that a piece of work must or may have counts
/// as exit code 0.
fn looked_at(
    case: &UsefulWork,
    world: &World,
    completed: &backends::child::Completed,
    confined: bool,
) -> UsefulRun {
    let finish = finish(&completed.ended);
    let finish = if case.ends(finish, confined) {
        Finish::Exited(0)
    } else if finish == Finish::Exited(0) {
        Finish::Exited(-1)
    } else {
        finish
    };
    let by_token = match case.work {
        Work::Native(_) | Work::Python(_) => world.twin_proved("before"),
        Work::Program(_) => true,
    };
    let absent = match case.work {
        Work::Python(_) => absent_module(case, world, &completed.output),
        Work::Native(_) | Work::Program(_) => None,
    };
    let checked = case.check.map_or(Ok(()), |check| check(world.run(), &completed.output));
    let tail = completed.error.len().saturating_sub(REMARK);
    let mut remark =
        String::from_utf8_lossy(completed.error.get(tail..).unwrap_or_default()).into_owned();
    if let Err(what) = &checked {
        remark.push_str(what);
    }
    UsefulRun { finish, proved: by_token && checked.is_ok(), absent, remark }
}

/// The module that Python work ended by not finding, from the line of the stage, if it is one that an
/// interpreter may lack: a name that is spelt wrong must not pass for one.
fn absent_module(case: &UsefulWork, world: &World, stdout: &[u8]) -> Option<String> {
    let start = format!("{} work absent ", world.nonce());
    let text = String::from_utf8_lossy(stdout);
    let name = text.lines().find_map(|line| line.strip_prefix(&start))?;
    let name = case.may_lack.iter().find(|module| **module == name)?;
    Some(format!("this interpreter has no module {name}"))
}
