//! `escapology certify` (preliminary).

use super::selection;
use clap::Args;
use harness::certify::Run;
use harness::plan::{self, Selection};
use harness::rig::Rig;
use harness::setting::Setting;
use harness::{host, judge};
use reports::record::{Plan, Record, Runtime};
use std::collections::BTreeMap;
use std::process::ExitCode;

#[derive(Debug, Args)]
pub(crate) struct Certify {
    /// A backend by name, or a wrapper file
    #[arg(long = "backend", value_name = "NAME|FILE")]
    backends: Vec<String>,
    /// native, python
    #[arg(long = "runtime", value_delimiter = ',', value_parser = selection::runtime)]
    runtimes: Vec<Runtime>,
    /// Show each arm
    #[arg(long)]
    arms: bool,
    /// Only escapes whose id holds this text
    filter: Option<String>,
}

impl Certify {
    #[expect(
        clippy::print_stdout,
        clippy::unwrap_used,
        clippy::too_many_lines,
        reason = "preliminary"
    )]
    pub(crate) fn run(self) -> ExitCode {
        let runtimes = if self.runtimes.is_empty() {
            vec![Runtime::Native, Runtime::Python]
        } else {
            self.runtimes
        };
        let setting = Setting::find(&runtimes).unwrap();
        let names =
            if self.backends.is_empty() { vec!["native".to_owned()] } else { self.backends };
        let rigs: Vec<Rig> = names
            .iter()
            .map(|name| Rig::new(selection::backend(name).unwrap(), &setting, &runtimes))
            .collect();
        for rig in &rigs {
            println!("{:?}", rig.facts);
        }
        let all = escapes::all();
        let selection = Selection { filter: self.filter };
        let cells = plan::cells(&all, &rigs, &runtimes, &selection, host::lacks);
        let plan = Plan {
            cells,
            useful: Vec::new(),
            catalogue: plan::catalogue_digest(&all),
            program: plan::program_digest(&setting.native.image).unwrap(),
            filtered: false,
            runtimes: runtimes.iter().copied().collect(),
        };
        let run = Run::new(&setting, &rigs, &all, &runtimes).unwrap();
        let mut controls = BTreeMap::new();
        let mut attempts = Vec::new();
        run.fill(&plan, |record| match record {
            Record::Control(control) => {
                controls.insert((control.escape.clone(), control.runtime), control);
            }
            Record::Attempt(attempt) => attempts.push(attempt),
            _ => {}
        });
        attempts.sort_by(|one, other| one.cell.cmp(&other.cell));
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        for planned in &plan.cells {
            if let Some(absent) = &planned.absent {
                println!("{:15} {}: {absent}", "not-applicable", format!("{:?}", planned.cell));
            }
        }
        for attempt in &attempts {
            let control = &controls[&(attempt.cell.escape.clone(), attempt.cell.runtime)];
            let outcome = judge::judge(&attempt.terms, &control.arm, &attempt.arm);
            *counts.entry(outcome.name()).or_default() += 1;
            println!("{:15} {}: {outcome:?}", outcome.name(), format!("{:?}", attempt.cell));
            if self.arms {
                println!("   control {:?}\n   attempt {:?}", control.arm, attempt.arm);
            }
        }
        println!("{counts:?}");
        ExitCode::SUCCESS
    }
}
