//! The macOS profile, asked without a Mac: every escape of the catalogue is held by a rule, useful work
//! is allowed, and whatever is taken from the profile is missed by somebody.

#![expect(clippy::unwrap_used, reason = "a test fails where its setting is broken")]

use backends::backend::Backend;
use backends::macos::access::Access;
use backends::macos::evaluate::Evaluator;
use backends::macos::mutate::mutants;
use backends::macos::operation::Action;
use backends::macos::read::read;
use backends::macos::rules::{Rule, Values};
use escapes::seatbelt::questions::{Answer, Question, entries, question};
use escapes::seatbelt::scenario::{NATIVE, PYTHON, Scenario};
use escapes::seatbelt::{guards, useful};
use std::collections::{BTreeMap, BTreeSet};

const SCENARIOS: [Scenario; 2] = [NATIVE, PYTHON];

/// Every escape of the catalogue, with those that only macOS compiles.
fn ids() -> BTreeSet<String> {
    let listed = escapes::all().into_iter().map(|escape| escape.id.to_owned());
    listed.chain(of_macos().into_values().flatten()).collect()
}

/// The escapes of the family `macos`, read from its sources, by the name of the file.
fn of_macos() -> BTreeMap<String, Vec<String>> {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src/macos");
    let sources = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let ids = |text: String| {
        text.split("id: \"macos/")
            .skip(1)
            .filter_map(|rest| Some(format!("macos/{}", rest.split_once('"')?.0)))
            .collect()
    };
    sources
        .map(|path| {
            let stem = path.file_stem().unwrap().to_str().unwrap().to_owned();
            (stem, ids(std::fs::read_to_string(path).unwrap()))
        })
        .collect()
}

#[test]
fn the_files_of_the_family_macos_are_listed_and_hold_the_escapes_of_their_name() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src/macos");
    let list = std::fs::read_to_string(folder.join("mod.rs")).unwrap();
    let words: BTreeSet<&str> =
        list.split(|character: char| !character.is_alphanumeric() && character != '_').collect();
    for (stem, ids) in of_macos() {
        if stem == "mod" {
            continue;
        }
        assert!(words.contains(stem.as_str()), "{stem} is not in the list");
        assert!(!ids.is_empty(), "{stem} holds no escape");
        for id in ids {
            let path = id.split_once('.').map_or(id.as_str(), |(path, _)| path).replace('-', "_");
            assert_eq!(path, format!("macos/{stem}"), "{id}");
        }
    }
}

fn asked(id: &str) -> Question {
    question(id).unwrap_or_else(|| panic!("{id} has no question"))
}

/// The techniques of macOS.
const TECHNIQUES: [&str; 18] = [
    "MC-APPLEEVENT",
    "MC-DNSMACH",
    "MC-DYLD",
    "MC-FIRMLINK",
    "MC-HARDLINKALIAS",
    "MC-LAUNCHAGENT",
    "MC-LAUNCHD",
    "MC-NESTED",
    "MC-OPSPECIFIC",
    "MC-PASTEBOARD",
    "MC-POSIXSPAWN",
    "MC-PRIVATEPATH",
    "MC-PROFILEFILE",
    "MC-READDENYMOVE",
    "MC-SHM",
    "MC-SIGNAL",
    "MC-SYSCTLPROC",
    "MC-UNIXSOCK",
];

#[test]
fn every_technique_of_macos_has_an_escape() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src/macos");
    let sources = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let text: String = sources.map(|path| std::fs::read_to_string(path).unwrap()).collect();
    for technique in TECHNIQUES {
        assert!(text.contains(&format!("\"{technique}\"")), "{technique}");
    }
}

#[test]
fn every_escape_has_a_question() {
    let without: Vec<String> = ids().into_iter().filter(|id| question(id).is_none()).collect();
    assert!(
        without.is_empty(),
        "say in src/seatbelt/questions what they need of macOS: {without:?}"
    );
}

#[test]
fn every_escape_is_denied_by_the_profile_or_says_what_holds_it() {
    for scenario in SCENARIOS {
        let profile = scenario.evaluator().unwrap();
        let mut by = BTreeMap::<String, usize>::new();
        for id in ids() {
            let answer = asked(&id).ask(&profile).unwrap();
            let held = match &answer {
                Answer::Allowed => panic!("{}: {id} gets out", scenario.name),
                Answer::Denied { rule, .. } => {
                    let rule = rule.and_then(|at| profile.rules().get(at)).unwrap();
                    assert_eq!(rule.action, Action::Deny);
                    format!("denied by {rule}")
                }
                Answer::Launch(_) => "held by the launch".to_owned(),
                Answer::Absent(_) => "absent on macOS".to_owned(),
                Answer::Gap(why) => format!("NOT HELD: {why}"),
            };
            *by.entry(held).or_default() += 1;
        }
        for (held, count) in by {
            println!("{:<7} {count:>4}  {held:.150}", scenario.name);
        }
    }
}

#[test]
fn what_is_not_held_is_known_by_name_and_declared_by_the_backend() {
    let gaps: BTreeSet<&str> = entries()
        .filter(|(_, question)| matches!(question(), Question::Gap(_)))
        .map(|(pattern, _)| *pattern)
        .collect();
    let named: BTreeSet<&str> = [
        "exec/threads",
        "ipc/futex-wait*",
        "macos/tasks.code",
        "macos/tasks.group",
        "macos/tasks.information",
        "macos/tasks.priority",
        "macos/tasks.session",
        "macos/tasks.signal",
        "macos/tasks.watch",
        "metadata/host.memory",
        "metadata/tasks.group",
        "metadata/tasks.priority",
        "metadata/tasks.session",
        "metadata/tasks.signal",
        "process/sigio.ioctl",
        "resource/memory*",
    ]
    .into();
    assert_eq!(gaps, named);
    let declared = backends::macos::seatbelt::seatbelt().profile();
    for id in ids() {
        let reason = match asked(&id) {
            Question::Gap(reason) => Some(reason),
            Question::Needs(_) | Question::Again | Question::Launch(_) | Question::Absent(_) => {
                None
            }
        };
        assert_eq!(declared.gap(&id), reason, "{id}: the backend declares the same gaps");
    }
}

#[test]
fn useful_work_is_allowed() {
    for scenario in SCENARIOS {
        let profile = scenario.evaluator().unwrap();
        for access in useful::useful(&scenario) {
            let decision = profile.decide(&access).unwrap();
            assert_eq!(decision.action, Action::Allow, "{}: {access}", scenario.name);
        }
    }
}

#[test]
fn no_grant_is_wider_than_its_words() {
    for scenario in SCENARIOS {
        let profile = scenario.evaluator().unwrap();
        for access in guards::guards(&scenario) {
            let decision = profile.decide(&access).unwrap();
            let rule =
                decision.rule.and_then(|at| profile.rules().get(at)).map(ToString::to_string);
            assert_eq!(decision.action, Action::Deny, "{}: {access} by {rule:?}", scenario.name);
        }
    }
}

/// Everything that is asked of a profile.
struct Asked {
    escapes: Vec<(String, Question)>,
    guards: Vec<Access>,
    useful: Vec<Access>,
    values: Values,
}

impl Asked {
    fn of(scenario: &Scenario) -> Self {
        Self {
            escapes: ids().into_iter().map(|id| (id.clone(), asked(&id))).collect(),
            guards: guards::guards(scenario),
            useful: useful::useful(scenario),
            values: scenario.values().unwrap(),
        }
    }
}

/// What notices that these rules are not those of the scenario.
fn noticed(asked: &Asked, rules: &[Rule]) -> Option<String> {
    let text: String =
        rules.iter().fold("(version 1)\n".to_owned(), |text, rule| format!("{text}{rule}\n"));
    let rules = match read(&text) {
        Ok(rules) => rules,
        Err(error) => return Some(error.to_string()),
    };
    let profile = match Evaluator::new(&rules, asked.values.clone()) {
        Ok(profile) => profile,
        Err(refused) => return Some(refused.to_string()),
    };
    for (id, question) in &asked.escapes {
        match question.ask(&profile) {
            Ok(Answer::Allowed) => return Some(format!("{id} gets out")),
            Err(refused) => return Some(refused.to_string()),
            Ok(_) => {}
        }
    }
    let wrong = |accesses: &[Access], wanted: Action| {
        accesses.iter().find_map(|access| match profile.decide(access) {
            Ok(decision) if decision.action == wanted => None,
            Ok(_) => Some(format!("{access} is not {}", wanted.word())),
            Err(refused) => Some(refused.to_string()),
        })
    };
    wrong(&asked.guards, Action::Deny).or_else(|| wrong(&asked.useful, Action::Allow))
}

#[test]
fn every_rule_that_is_taken_away_widened_or_moved_is_missed_by_somebody() {
    for scenario in SCENARIOS {
        let profile = scenario.profile().unwrap();
        let asked = Asked::of(&scenario);
        assert_eq!(noticed(&asked, &profile.rules), None);
        let mutants = mutants(&profile, &scenario.values().unwrap());
        let survivors: Vec<&str> = mutants
            .iter()
            .filter(|mutant| noticed(&asked, &mutant.rules).is_none())
            .map(|mutant| mutant.name.as_str())
            .collect();
        println!("{}: {} mutants", scenario.name, mutants.len());
        assert!(survivors.is_empty(), "{}: {survivors:#?}", scenario.name);
        assert!(mutants.len() > 200);
    }
}

#[test]
fn every_question_is_of_the_table_of_operations() {
    let root = backends::macos::operation::Operation::DEFAULT;
    let mut asked = Vec::new();
    for (_, question) in entries() {
        if let Question::Needs(accesses) = question() {
            assert!(!accesses.is_empty());
            asked.extend(accesses);
        }
    }
    for scenario in SCENARIOS {
        asked.extend(guards::guards(&scenario));
        asked.extend(useful::useful(&scenario));
    }
    assert!(asked.iter().all(|access| access.operation != root));
}

#[test]
fn every_exact_entry_is_an_escape_of_the_catalogue_or_of_macos() {
    let ids = ids();
    let unknown: Vec<&str> = entries()
        .map(|(pattern, _)| *pattern)
        .filter(|pattern| pattern.starts_with("macos/") && !ids.contains(*pattern))
        .collect();
    assert!(unknown.is_empty(), "{unknown:?}");
}
