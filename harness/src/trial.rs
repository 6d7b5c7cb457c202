//! One arm of a trial: build the world, launch the program, look when it asks, wait for its death,
//! look again, sweep. Effects only; what they mean is decided elsewhere.

use crate::escape::Escape;
use crate::performance::{self, Performance};
use crate::scene;
use crate::setting::Setting;
use crate::stage::STAGE;
use backends::backend::Confinement;
use backends::command::{Command, Input};
use backends::hook;
use fixtures::decoy::{Evidence, EvidenceKind};
use fixtures::world::World;
use reports::record::{Answer, Arm, Effect, EffectKind, Finish, Runtime, Start, Twin};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// The text that is put before every Python escape.
pub(crate) const PYTHON_STAGE: &str = include_str!("python/stage.py");

/// Bytes of standard error that a record keeps.
const REMARKS: usize = 2_000;

/// Which program stands on the stage.
#[derive(Clone, Copy, Debug)]
pub struct Role<'a> {
    /// The escape.
    pub escape: &'a Escape,
    /// What carries it.
    pub runtime: Runtime,
    /// Whether the Python audit hook is on.
    pub hook: bool,
}

/// Runs one arm. What cannot be run is an arm that was refused, with the reason.
pub fn run(setting: &Setting, confinement: &dyn Confinement, role: Role<'_>) -> Arm {
    let helper = setting.helper();
    let mut world = match World::build(&setting.base, role.escape.decoys, &helper) {
        Ok(world) => world,
        Err(error) => return refused(format!("build the world: {error}")),
    };
    let arm = play(setting, confinement, role, &mut world).unwrap_or_else(refused);
    let left = world.sweep();
    Arm { findings: arm.findings.into_iter().chain(left).collect(), ..arm }
}

/// The performance, its second twin if the program did not live to it, and the last look.
fn play(
    setting: &Setting,
    confinement: &dyn Confinement,
    role: Role<'_>,
    world: &mut World,
) -> Result<Arm, String> {
    let mut performance = perform(setting, confinement, role, world, None)?;
    if performance.ended_in_its_act() {
        if let Finish::Signalled(signal) = performance.finish {
            performance.words.answer = Answer::Killed(signal);
        }
        // The same neighbour in a fresh process: the act may have become another program, and a sandbox
        // may kill the act, but not the next program.
        let second = perform(setting, confinement, role, world, Some("twin"))?;
        performance.output.extend(second.output);
        performance.error.extend(second.error);
    }
    let mut after = world.twin_proved("after");
    if performance.finish.limit().is_some() && performance.words.answer == Answer::None {
        // The same neighbour in a fresh process and a fresh run directory, since what filled the old
        // one is still there: a limit ends a program, and not the next one.
        let (proved, next) = next_program(setting, confinement, role)?;
        after = proved;
        performance.output.extend(next.output);
        performance.error.extend(next.error);
    }
    let before = world.twin_proved("before");
    let seen = world
        .conclude(&[&performance.output, &performance.error])
        .map_err(|error| format!("look at the world: {error}"))?;
    let mut remarks = performance.words.twins.join("; ");
    let tail = performance.error.len().saturating_sub(REMARKS);
    remarks.push_str(&String::from_utf8_lossy(performance.error.get(tail..).unwrap_or_default()));
    Ok(Arm {
        start: Start::Started,
        twin_before: twin(before),
        reached: performance.words.reached,
        answer: performance.words.answer,
        twin_after: twin(after),
        effects: seen.evidence.into_iter().map(effect).collect(),
        finish: performance.finish,
        findings: seen.findings,
        remarks,
    })
}

/// The next program after one that a limit ended: whether it could do its permitted neighbour.
fn next_program(
    setting: &Setting,
    confinement: &dyn Confinement,
    role: Role<'_>,
) -> Result<(bool, Performance), String> {
    let mut world = World::build(&setting.base, &[], &setting.helper())
        .map_err(|error| format!("build the world of the next program: {error}"))?;
    let performance = perform(setting, confinement, role, &mut world, Some("twin"))?;
    Ok((world.twin_proved("after"), performance))
}

impl Performance {
    /// Whether the program was gone before it could say how its act ended.
    fn ended_in_its_act(&self) -> bool {
        let ended = matches!(self.finish, Finish::Exited(_) | Finish::Signalled(_));
        ended && self.words.reached && self.words.answer == Answer::None
    }
}

fn perform(
    setting: &Setting,
    confinement: &dyn Confinement,
    role: Role<'_>,
    world: &mut World,
    phase: Option<&str>,
) -> Result<Performance, String> {
    let command = command(setting, role, world, phase)?;
    performance::perform(confinement, command, world).map_err(|error| error.to_string())
}

/// The program with everything that it is told.
fn command(
    setting: &Setting,
    role: Role<'_>,
    world: &World,
    phase: Option<&str>,
) -> Result<Command, String> {
    let mut clues: Vec<OsString> =
        world.clues().iter().map(|(key, value)| scene::argument(key, value)).collect();
    clues.push(scene::argument("nonce", world.nonce().as_ref()));
    clues.push(scene::argument("twin", role.escape.twin.name().as_ref()));
    clues.extend(phase.map(|phase| scene::argument("phase", phase.as_ref())));
    let mut command = match role.runtime {
        Runtime::Native => {
            let mut command = Command::new(&setting.native.image, world.run());
            command.arguments = vec![STAGE.into(), role.escape.id.into()];
            command.arguments.extend(clues);
            command
        }
        Runtime::Python => {
            let text = role.escape.python.ok_or("the escape has no Python form")?;
            let text = format!("{PYTHON_STAGE}\n\n{text}\n\n_perform(attempt)\n");
            python(setting, world.run(), &text, &clues, role.hook)?
        }
    };
    command.input = Input::Fed;
    command.surroundings = world.environment();
    Ok(command)
}

/// The interpreter with a program text, which is written into the run directory.
pub(crate) fn python(
    setting: &Setting,
    run: &Path,
    text: &str,
    arguments: &[OsString],
    hook: bool,
) -> Result<Command, String> {
    let python = setting.python.as_ref().ok_or("no Python interpreter was asked for")?;
    let program: PathBuf = run.join("program.py");
    std::fs::write(&program, text).map_err(|error| format!("write {program:?}: {error}"))?;
    let mut command = Command::new(&python.executable, run);
    command.argument0 = Some(python.needs.argument0.clone());
    command.arguments = if hook {
        let (policy, rules) = setting.hook(run);
        hook::arguments(&policy, &rules, &program, arguments).map_err(|error| error.to_string())?
    } else {
        hook::plain_arguments(&program, arguments)
    };
    Ok(command)
}

fn twin(proved: bool) -> Twin {
    if proved { Twin::Proved } else { Twin::Missing }
}

fn effect(evidence: Evidence) -> Effect {
    let kind = match evidence.kind {
        EvidenceKind::TokenLeaked => EffectKind::TokenLeaked,
        EvidenceKind::TreeChanged => EffectKind::TreeChanged,
        EvidenceKind::Contacted => EffectKind::Contacted,
        EvidenceKind::VictimChanged => EffectKind::VictimChanged,
        EvidenceKind::ProcessSeen => EffectKind::ProcessSeen,
        EvidenceKind::ObjectHeld => EffectKind::ObjectHeld,
        EvidenceKind::ObjectChanged => EffectKind::ObjectChanged,
        EvidenceKind::LimitExceeded => EffectKind::LimitExceeded,
    };
    Effect { kind, detail: evidence.detail }
}

/// The arm of a program that never ran.
pub(crate) fn refused(reason: String) -> Arm {
    Arm {
        start: Start::Refused(reason),
        twin_before: Twin::Missing,
        reached: false,
        answer: Answer::None,
        twin_after: Twin::Missing,
        effects: Vec::new(),
        finish: Finish::NotStarted,
        findings: Vec::new(),
        remarks: String::new(),
    }
}
