//! The test front: every cell is a test with a name, so that filters, `--exact`, `--list` and
//! cargo-nextest work as for any Rust test. What a cell must show follows from its backend: `native`
//! holds, `none` lets everything through, a single layer stops exactly what the escape says.

use crate::certify::{Run, terms};
use crate::escape::{Escape, Layer};
use crate::judge::judge;
use crate::plan::{self, Selection};
use crate::rig::Rig;
use crate::setting::Setting;
use crate::{host, useful_judge, useful_run};
use backends::backend::Backend;
use libtest_mimic::{Arguments, Failed, Trial};
use reports::record::{Arm, Cell, Outcome, PlannedCell, Runtime, UsefulCell, UsefulOutcome};
use std::collections::HashMap;
use std::fmt::Write;
use std::process::ExitCode;
use std::sync::{Arc, Mutex, OnceLock};

/// What the cells of a backend must show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expected {
    /// Every escape gets out: the control of the controls.
    Escapes,
    /// Every escape is held, but for declared residue.
    Holds,
    /// Exactly those escapes are held that name this layer.
    Layer(Layer),
    /// At least those escapes are held that name this layer: this user has more to lose by it.
    AtLeast(Layer),
}

/// A backend and what its cells must show.
#[derive(Debug)]
pub struct Column {
    /// The backend.
    pub backend: Box<dyn Backend>,
    /// What its cells must show.
    pub expected: Expected,
}

/// What a test front is made of.
#[derive(Debug)]
pub struct Suite {
    /// The catalogue.
    pub escapes: Vec<&'static Escape>,
    /// The useful work.
    pub useful: Vec<&'static crate::useful::UsefulWork>,
    /// The backends.
    pub columns: Vec<Column>,
    /// Whether the environment demands that this host earns S1, or why its demand is none.
    pub demand: Result<bool, String>,
}

/// Reads `ESCAPOLOGY_EXPECT` (`S1`, or unset) and `SANDBOX_EXEC_OS_EXPECT_S1` (`1`, or unset).
///
/// # Errors
/// When a variable holds anything else: an expectation that nobody understands is not met.
pub fn demand() -> Result<bool, String> {
    backends::tier::demanded().map_err(|error| error.to_string())
}

/// Runs the tests that the command line asks for.
pub fn main(suite: Suite) -> ExitCode {
    let arguments = Arguments::from_args();
    let runtimes = [Runtime::Native, Runtime::Python];
    let demand = suite.demand.clone();
    let trials = match Setting::find(&runtimes) {
        Ok(setting) => trials(suite, setting, &runtimes),
        Err(error) => vec![failing("setting", error.to_string())],
    };
    let trials = match demand {
        Ok(_) => trials,
        Err(reason) => vec![failing("expectation", reason)],
    };
    libtest_mimic::run(&arguments, trials).exit_code()
}

fn failing(name: &str, reason: String) -> Trial {
    Trial::test(name, move || Err(Failed::from(reason)))
}

/// A control that is run by whoever needs it first.
type Slot = Arc<OnceLock<Option<Arm>>>;

/// What all tests of a process share: the backends, and each control once.
struct Shared {
    setting: Setting,
    rigs: Vec<Rig>,
    expected: HashMap<String, Expected>,
    escapes: Vec<&'static Escape>,
    controls: Mutex<HashMap<(String, Runtime), Slot>>,
}

fn trials(suite: Suite, setting: Setting, runtimes: &[Runtime]) -> Vec<Trial> {
    let expected = suite
        .columns
        .iter()
        .map(|column| (column.backend.name().to_owned(), column.expected))
        .collect();
    let rigs: Vec<Rig> = suite
        .columns
        .into_iter()
        .map(|column| Rig::new(column.backend, &setting, runtimes))
        .collect();
    let demanded = suite.demand.unwrap_or(true);
    let shared = Arc::new(Shared {
        setting,
        rigs,
        expected,
        escapes: suite.escapes,
        controls: Mutex::default(),
    });
    let mut trials: Vec<Trial> =
        shared.rigs.iter().filter_map(|rig| usable(rig, demanded)).collect();
    let backends = shared.rigs.iter().map(|rig| &rig.facts);
    let cells =
        plan::cells(&shared.escapes, backends, runtimes, &Selection::default(), host::lacks);
    trials.extend(cells.into_iter().map(|planned| cell_trial(&shared, planned)));
    let work = useful_run::cells(&suite.useful, &shared.rigs, runtimes, &Selection::default());
    for (case, cell) in work {
        if shared.expected.get(&cell.backend) == Some(&Expected::Holds) {
            trials.push(useful_trial(&shared, case, cell));
        }
    }
    trials
}

/// That a backend can be used here, with every protection that it claims. One that cannot is ignored
/// when the list is made, unless this host was promised to earn S1.
fn usable(rig: &Rig, demanded: bool) -> Option<Trial> {
    let reason = rig.facts.unavailable.clone().or_else(|| {
        let missing: Vec<String> = rig
            .facts
            .support
            .missing()
            .map(|(protection, why)| format!("{protection}: {why}"))
            .collect();
        (!missing.is_empty()).then(|| missing.join("; "))
    });
    let name = format!("{}::usable", rig.name().replace('-', "_"));
    let Some(reason) = reason else { return Some(Trial::test(name, || Ok(()))) };
    Some(failing(&name, reason).with_ignored_flag(!demanded))
}

fn cell_trial(shared: &Arc<Shared>, planned: PlannedCell) -> Trial {
    let absent = planned.absent.is_some();
    let cell = planned.cell;
    let name = test_name(&cell.backend, cell.runtime, cell.hook, &cell.escape);
    let shared = Arc::clone(shared);
    Trial::test(name, move || shared.check(&cell)).with_ignored_flag(absent)
}

fn useful_trial(
    shared: &Arc<Shared>,
    case: &'static crate::useful::UsefulWork,
    cell: UsefulCell,
) -> Trial {
    let name = test_name(&cell.backend, cell.runtime, cell.hook, &cell.case);
    let absent = useful_run::lacks(case).is_some();
    let shared = Arc::clone(shared);
    let trial = Trial::test(name, move || {
        let useful = useful_run::perform(&shared.setting, &shared.rigs, case, &cell);
        match useful_judge::judge_useful(&useful.control, &useful.confined) {
            UsefulOutcome::Works | UsefulOutcome::NotApplicable { .. } => Ok(()),
            outcome @ (UsefulOutcome::Broken { .. } | UsefulOutcome::Inconclusive { .. }) => {
                Err(Failed::from(format!("{outcome:?}: {useful:?}")))
            }
        }
    });
    trial.with_ignored_flag(absent)
}

/// A test's name: `backend::runtime::family::file::variant`, in identifiers.
fn test_name(backend: &str, runtime: Runtime, hook: bool, id: &str) -> String {
    let hook = if hook { "_hook" } else { "" };
    let id = id.replace(['/', '.'], "::");
    format!("{backend}::{}{hook}::{id}", runtime.name()).replace('-', "_")
}

impl Shared {
    fn check(&self, cell: &Cell) -> Result<(), Failed> {
        let run = Run::new(&self.setting, &self.rigs, &self.escapes, &[], &[cell.runtime])?;
        let control = self.control(&run, cell).ok_or("the control left no record")?;
        let attempt = run.attempt(cell).ok_or("the attempt left no record")?;
        let outcome = judge(&attempt.terms, &control, &attempt.arm);
        let escape = self.escapes.iter().find(|escape| escape.id == cell.escape);
        let expected = self.expected.get(&cell.backend);
        let (Some(escape), Some(expected)) = (escape, expected) else {
            return Err("the cell is not of this catalogue".into());
        };
        if meets(*expected, escape, cell, &outcome) {
            return Ok(());
        }
        let rig = self.rigs.iter().find(|rig| rig.name() == cell.backend);
        let mut text = format!("{outcome:?}, where {expected:?} was expected");
        let _infallible = write!(text, "\ncontrol {control:?}\nattempt {:?}", attempt.arm);
        if let Some(rig) = rig {
            let _infallible = write!(text, "\nterms   {:?}", terms(rig, escape, cell.hook));
        }
        Err(Failed::from(text))
    }

    /// The control of a cell, run once in this process.
    fn control(&self, run: &Run<'_>, cell: &Cell) -> Option<Arm> {
        let slot = {
            let mut controls = self.controls.lock().ok()?;
            let key = (cell.escape.clone(), cell.runtime);
            Arc::clone(controls.entry(key).or_default())
        };
        slot.get_or_init(|| run.control(&cell.escape, cell.runtime).map(|control| control.arm))
            .clone()
    }
}

/// Whether a cell shows what it must. With the hook on, a layer may hold what it does not hold alone.
fn meets(expected: Expected, escape: &Escape, cell: &Cell, outcome: &Outcome) -> bool {
    let held = match outcome {
        Outcome::NotApplicable { .. } => return true,
        Outcome::Held { .. } => true,
        Outcome::Escaped { .. } => false,
        Outcome::Residue { .. } => return expected == Expected::Holds,
        Outcome::Stale { .. } | Outcome::Inconclusive { .. } => return false,
    };
    match expected {
        Expected::Holds => held,
        Expected::Escapes => !held || cell.hook,
        Expected::AtLeast(layer) => held || !escape.stops.contains(&layer),
        Expected::Layer(layer) => held == escape.stops.contains(&layer) || (held && cell.hook),
    }
}
