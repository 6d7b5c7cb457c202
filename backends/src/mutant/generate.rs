//! Walks an enforcement and yields its mutants. Every structure is taken apart without `..`, so that a
//! new field must say what it is worth.

use super::edit::{Edit, Layer, LimitName, Step};
use super::{Aim, Mutant, filter};
use crate::enforcement::{
    Enforcement, Environment, FileRight, Hygiene, Landlock, PathRule, Shown, View,
};
use crate::linux::seccomp::Filter;
use crate::policy::{Bound, Kind, Limits, PROGRAM, Place, RUN};
use serde::Serialize;
use std::collections::BTreeSet;
use std::path::Path;

/// The rules about places, by what the places are: their paths differ from host to host.
pub(super) const PLACES: [&str; 5] = [
    "landlock/place-device",
    "landlock/place-directory",
    "landlock/place-file",
    "landlock/place-program",
    "landlock/place-run",
];

/// What a generator must know besides the enforcement.
#[derive(Clone, Debug, Default)]
pub struct Surroundings {
    /// The directory under which run directories are made, absolute.
    pub above_run: String,
    /// The system calls that this kernel has: see [`super::present`].
    pub present: BTreeSet<String>,
}

/// Every mutant of an enforcement, each with an id of its own.
pub fn mutants(enforcement: &Enforcement, surroundings: &Surroundings) -> Vec<Mutant> {
    let Enforcement { view, landlock, seccomp, hygiene, limits } = enforcement;
    let mut all = vec![mutant("policy/all", "dropped", Aim::Weaker, Edit::Nothing)];
    if let Some(view) = view {
        all.extend(of_view(view, surroundings));
    }
    if let Some(landlock) = landlock {
        all.extend(of_landlock(landlock, surroundings));
    }
    if let Some(filter) = seccomp {
        let Filter { arch, foreign_arch, x32, default, rules } = filter;
        all.push(mutant("layer/seccomp", "dropped", Aim::Weaker, Edit::Without(Layer::Seccomp)));
        all.extend(filter::of_whole(*arch, *foreign_arch, *x32, *default));
        all.extend(filter::of_rules(rules));
        all.extend(filter::of_unnamed(rules, &surroundings.present));
    }
    all.extend(of_hygiene(hygiene));
    all.extend(of_limits(limits));
    if let (Some(landlock), Some(filter)) = (landlock, seccomp) {
        all.push(everything_denied(landlock, filter));
    }
    all
}

pub(super) fn mutant(rule: &str, change: impl Into<String>, aim: Aim, edit: Edit) -> Mutant {
    Mutant { rule: rule.to_owned(), change: change.into(), aim, edit }
}

/// The word that a value has in the canonical form.
pub(super) fn word(value: impl Serialize) -> String {
    let text = serde_json::json!(value);
    text.as_str().map_or_else(|| text.to_string(), str::to_owned)
}

/// Each place shown with what lies beside it, and for writing. A link that is gone hides a name only.
fn of_view(view: &View, surroundings: &Surroundings) -> Vec<Mutant> {
    let View { places, links: _names_of_shown_places } = view;
    let mut all = vec![mutant("layer/view", "dropped", Aim::Weaker, Edit::Without(Layer::View))];
    for (place, Shown { kind, writable }) in places {
        let word = match place {
            Place::Run => RUN.to_owned(),
            Place::Program => PROGRAM.to_owned(),
            Place::Path(path) => path.clone(),
        };
        let mut show = |change: &str, place: Place, kind, writable| {
            let edit = Edit::Show(place, Shown { kind, writable });
            all.push(mutant("view/place", format!("{word} {change}"), Aim::Weaker, edit));
        };
        if let Some(above) = above(place, surroundings) {
            show("widened to its parent", Place::Path(above), Kind::Directory, *writable);
        }
        if !writable {
            show("made writable", place.clone(), *kind, true);
        }
    }
    all
}

fn of_landlock(landlock: &Landlock, surroundings: &Surroundings) -> Vec<Mutant> {
    let Landlock { handled_files, handled_network, scopes, rules } = landlock;
    let mut all =
        vec![mutant("layer/landlock", "dropped", Aim::Weaker, Edit::Without(Layer::Landlock))];
    let weaker = |rule: String, edit| mutant(&rule, "not handled", Aim::Weaker, edit);
    for right in handled_files {
        all.push(weaker(format!("landlock/{}", word(right)), Edit::Unhandle(*right)));
    }
    for right in handled_network {
        all.push(weaker(format!("landlock/{}", word(right)), Edit::UnhandleNetwork(*right)));
    }
    for scope in scopes {
        all.push(weaker(format!("landlock/scope-{}", word(scope)), Edit::Unscope(*scope)));
    }
    for (place, rule) in rules {
        all.extend(of_place(place, rule, handled_files, surroundings));
    }
    all
}

/// A rule widened to the directory above, and given the rights that it lacks.
fn of_place(
    place: &Place,
    rule: &PathRule,
    handled: &BTreeSet<FileRight>,
    surroundings: &Surroundings,
) -> Vec<Mutant> {
    // That a place is still the same is for the launcher to see, and for its own tests.
    let PathRule { kind, rights, identity: _told_to_nobody } = rule;
    let (name, shown) = named(place, *kind, rights);
    let mut all = Vec::new();
    if let Some(above) = above(place, surroundings) {
        let mut given = rights.clone();
        given.insert(FileRight::ReadDir);
        let edit = Edit::Give(Place::Path(above), Kind::Directory, given);
        all.push(mutant(name, format!("{shown} widened to its parent"), Aim::Weaker, edit));
    }
    let give =
        |rights: &[FileRight]| Edit::Give(place.clone(), *kind, rights.iter().copied().collect());
    if !rights.contains(&FileRight::WriteFile) {
        let edit = give(&[FileRight::WriteFile, FileRight::Truncate]);
        all.push(mutant(name, format!("{shown} made writable"), Aim::Weaker, edit));
    }
    if *place == Place::Run {
        for right in handled.difference(rights) {
            let change = format!("{shown} given {}", word(right));
            all.push(mutant(name, change, Aim::Weaker, give(&[*right])));
        }
        for right in rights {
            let edit = Edit::Take(place.clone(), BTreeSet::from([*right]));
            let change = format!("{shown} without {}", word(right));
            all.push(mutant(name, change, Aim::Stricter, edit));
        }
    }
    all
}

/// The rule of a place, and the place as it is shown. The program is wherever it was built, and its
/// loader is called otherwise on each processor.
fn named(place: &Place, kind: Kind, rights: &BTreeSet<FileRight>) -> (&'static str, String) {
    let [device, directory, file, program, run] = PLACES;
    let path = match place {
        Place::Run => return (run, RUN.to_owned()),
        Place::Program => return (file, PROGRAM.to_owned()),
        Place::Path(path) => path,
    };
    if rights.contains(&FileRight::Execute) {
        let name = Path::new(path).file_name().unwrap_or_default().to_string_lossy();
        let shown = if name.starts_with("ld-") { "{loader}" } else { "{image}" };
        return (program, shown.to_owned());
    }
    let rule = match kind {
        Kind::Directory => directory,
        Kind::File if path.starts_with("/dev/") => device,
        Kind::File => file,
    };
    (rule, path.clone())
}

fn above(place: &Place, surroundings: &Surroundings) -> Option<String> {
    match place {
        Place::Run => Some(surroundings.above_run.clone()),
        // The host chooses its folder, and there is nothing else in it.
        Place::Program => None,
        Place::Path(path) => Path::new(path).parent()?.to_str().map(str::to_owned),
    }
}

fn of_hygiene(hygiene: &Hygiene) -> Vec<Mutant> {
    let Hygiene {
        die_with_launcher,
        own_session,
        no_new_privileges,
        drop_capabilities,
        close_descriptors,
        execute_once,
        no_core_dump,
        few_pending_signals,
        ordinary_priority,
        environment,
    } = hygiene;
    let scrubbed = matches!(environment, Environment::Exactly(_));
    let steps = [
        ("die-with-launcher", *die_with_launcher, Step::DieWithLauncher),
        ("own-session", *own_session, Step::OwnSession),
        ("no-new-privileges", *no_new_privileges, Step::NoNewPrivileges),
        ("capabilities", *drop_capabilities, Step::DropCapabilities),
        ("close-descriptors", *close_descriptors, Step::CloseDescriptors),
        ("execute-once", *execute_once, Step::ExecuteOnce),
        ("no-core-dump", *no_core_dump, Step::NoCoreDump),
        ("pending-signals", *few_pending_signals, Step::FewPendingSignals),
        ("ordinary-priority", *ordinary_priority, Step::OrdinaryPriority),
        ("environment", scrubbed, Step::Environment),
    ];
    let mut all: Vec<Mutant> = steps
        .into_iter()
        .filter(|(_, taken, _)| *taken)
        .map(|(name, _, step)| {
            mutant(&format!("hygiene/{name}"), "skipped", Aim::Weaker, Edit::Skip(step))
        })
        .collect();
    if steps.iter().any(|(_, taken, _)| *taken) {
        let edit = Edit::Without(Layer::Hygiene);
        all.push(mutant("layer/hygiene", "dropped", Aim::Weaker, edit));
    }
    if scrubbed {
        all.push(mutant("hygiene/environment", "emptied", Aim::Stricter, Edit::NoVariables));
    }
    all
}

fn of_limits(limits: &Limits) -> Vec<Mutant> {
    let Limits {
        wall_clock_milliseconds,
        cpu_seconds,
        address_space_bytes,
        file_size_bytes,
        open_files,
        output_bytes,
        run_directory_bytes,
        run_directory_entries,
    } = limits;
    // The values are of no account: a limit that is wide here is narrow where an escape exceeds it.
    let lifted = |name: &str, _value: &Bound, limit| {
        mutant(&format!("limits/{name}"), "lifted", Aim::Weaker, Edit::Unlimited(limit))
    };
    vec![
        lifted("wall-clock", wall_clock_milliseconds, LimitName::WallClock),
        lifted("cpu-time", cpu_seconds, LimitName::CpuTime),
        lifted("address-space", address_space_bytes, LimitName::AddressSpace),
        lifted("file-size", file_size_bytes, LimitName::FileSize),
        lifted("open-files", open_files, LimitName::OpenFiles),
        lifted("output", output_bytes, LimitName::Output),
        lifted("run-directory-bytes", run_directory_bytes, LimitName::RunDirectoryBytes),
        lifted("run-directory-entries", run_directory_entries, LimitName::RunDirectoryEntries),
    ]
}

/// Every place keeps only what starting a program needs, and no argument of a call is good.
fn everything_denied(landlock: &Landlock, filter: &Filter) -> Mutant {
    let needed = [FileRight::Execute, FileRight::ReadFile, FileRight::ReadDir];
    let takes = landlock.rules.iter().map(|(place, rule)| {
        let rights = rule.rights.iter().copied();
        Edit::Take(
            place.clone(),
            rights.filter(|right| *place == Place::Run || !needed.contains(right)).collect(),
        )
    });
    let calls = filter::of_rules(&filter.rules);
    let closed = calls.into_iter().filter(|mutant| mutant.aim == Aim::Stricter);
    let edits = takes.chain(closed.map(|mutant| mutant.edit)).collect();
    mutant("policy/all", "denied", Aim::Stricter, Edit::All(edits))
}
