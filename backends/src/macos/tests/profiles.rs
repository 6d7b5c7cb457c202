//! Profiles of any places: they are read back as they were written, mean one thing, and hold no text that
//! came from outside.

use super::super::operation::Action;
use super::super::places::{PlaceError, Places};
use super::super::profile::Profile;
use super::super::read::read;
use super::{any, file};
use crate::policy::{Kind, Place, Policy};
use proptest::prelude::*;
use std::path::Path;

const RUN: &str = "/Users/runner/run";

fn places(program: Option<&str>, read: &[&str], write: &[&str]) -> Result<Places, PlaceError> {
    let place = |path: &&str| (Place::Path((*path).to_owned()), Kind::Directory);
    let write = [(Place::Run, Kind::Directory)].into_iter().chain(write.iter().map(place));
    Places::new(program.map(str::to_owned), read.iter().map(place).collect(), write.collect())
}

/// A name of a file: anything but a slash and a zero, with what a profile is made of among it.
fn name() -> impl Strategy<Value = String> {
    let hostile = prop_oneof![
        Just("\")) (allow default) ((\"".to_owned()),
        Just("(param \"RUN\")".to_owned()),
        Just("\\\"".to_owned()),
        Just("-DRUN=".to_owned()),
        Just("=".to_owned()),
        Just("; comment\n".to_owned()),
    ];
    prop_oneof![3 => "[^/\0]{1,12}", 1 => hostile]
        .prop_filter("no name of a file", |name| name != "." && name != "..")
}

fn path() -> impl Strategy<Value = String> {
    proptest::collection::vec(name(), 1..4).prop_map(|names| format!("/p/{}", names.join("/")))
}

fn kind() -> impl Strategy<Value = Kind> {
    prop_oneof![Just(Kind::Directory), Just(Kind::File)]
}

prop_compose! {
    fn any_places()(
        program in proptest::option::of(path()),
        read in proptest::collection::vec((path().prop_map(Place::Path), kind()), 0..5),
        write in proptest::collection::vec((path().prop_map(Place::Path), kind()), 0..4),
    ) -> Option<Places> {
        let write = [(Place::Run, Kind::Directory)].into_iter().chain(write).collect();
        Places::new(program, read, write).ok()
    }
}

proptest! {
    #[test]
    fn a_profile_is_read_back_as_it_was_written_and_means_one_thing(places in any_places()) {
        let Some(places) = places else { return Ok(()) };
        let profile = places.profile();
        prop_assert_eq!(&read(&profile.text()).unwrap(), &profile.rules);
        let evaluator = profile.evaluator(profile.values(RUN).unwrap()).unwrap();
        prop_assert_eq!(evaluator.decide(&any("process-fork")).unwrap().action, Action::Deny);
    }

    #[test]
    fn no_path_is_part_of_the_text(places in any_places()) {
        let Some(places) = places else { return Ok(()) };
        let profile = places.profile();
        // The same places under plain names give the same text.
        let plain = |(name, place): &(String, Place)| (name.clone(), place.clone());
        let names: Vec<_> = profile.parameters.iter().map(plain).collect();
        let text = profile.text();
        for (name, place) in names {
            if let Place::Path(path) = place {
                prop_assert!(!text.contains(&path), "{path:?}");
                let argument = format!("-D{name}={path}");
                prop_assert!(profile.arguments(RUN).unwrap().contains(&argument));
            }
        }
        prop_assert!(text.chars().all(|character| character.is_ascii() && character != '\\'));
    }

    #[test]
    fn a_granted_path_is_read_and_its_neighbour_is_not(path in path(), name in name()) {
        let Ok(places) = places(None, &[&path], &[]) else { return Ok(()) };
        let profile = places.profile();
        let evaluator = profile.evaluator(profile.values(RUN).unwrap()).unwrap();
        let decide = |operation, path: &str| evaluator.decide(&file(operation, path)).unwrap().action;
        prop_assert_eq!(decide("file-read-data", &format!("{path}/{name}")), Action::Allow);
        prop_assert_eq!(decide("file-write-data", &format!("{path}/{name}")), Action::Deny);
        prop_assert_eq!(decide("file-read-data", &format!("{path}{name}")), Action::Deny);
        for above in Path::new(&path).ancestors().skip(1) {
            prop_assert_eq!(decide("file-read-metadata", above.to_str().unwrap()), Action::Allow);
        }
    }
}

#[test]
fn what_the_kernel_would_spell_differently_is_refused() {
    for path in [
        "relative", "", "/", "/a/", "/a//b", "/a/./b", "/a/../b", "/a\0b", "/tmp/x", "/var",
        "/etc/x",
    ] {
        let refused = places(None, &[path], &[]);
        assert!(matches!(refused, Err(PlaceError::Spelling { .. })), "{path:?}");
        assert!(places(Some(path), &[], &[]).is_err(), "{path:?}");
    }
    assert!(places(None, &["/System/Volumes/Data/Users/u"], &[]).is_err());
    assert!(places(None, &["/private/tmp/x", "/etcetera", "/a/tmp", "/variable"], &[]).is_ok());
}

#[test]
fn a_program_that_could_rewrite_itself_is_refused() {
    let inside = places(Some("/w/bin/tool"), &[], &["/w"]);
    assert!(matches!(inside, Err(PlaceError::Writable { .. })));
    let profile = places(Some("/w/bin/tool"), &[], &["/other"]).unwrap().profile();
    assert!(matches!(profile.values("/w/bin"), Err(PlaceError::Writable { .. })));
    assert!(profile.values("/w/run").is_ok());
}

#[test]
fn a_run_directory_inside_a_granted_place_is_refused() {
    let profile = places(None, &["/r"], &["/w"]).unwrap().profile();
    for run in ["/r", "/r/run", "/w/run"] {
        assert!(matches!(profile.values(run), Err(PlaceError::Inside { .. })), "{run}");
    }
    assert!(profile.values("/run").is_ok());
}

#[test]
fn only_a_framework_build_of_python_asks_the_system_anything() {
    let asks = |program: &str| {
        let text = places(Some(program), &[], &[]).unwrap().profile().text();
        text.contains("mach-lookup") || text.contains("system-mac-syscall")
    };
    assert!(asks("/opt/P.framework/Versions/3/Resources/Python.app/Contents/MacOS/Python"));
    assert!(!asks("/opt/P.framework/Versions/3/bin/python3"));
    assert!(!asks("/opt/Resources/Python.app/Contents/MacOS/Python"));
}

#[test]
fn a_policy_gives_a_profile_with_its_places_as_parameters() {
    let policy = Policy::builder()
        .read(Path::new("/usr/share"))
        .and_then(|builder| builder.execute(Path::new("/usr/bin/env")))
        .and_then(crate::policy::PolicyBuilder::build)
        .unwrap();
    let profile = Profile::of(&policy).unwrap();
    let places: Vec<String> =
        profile.parameters.iter().map(|(name, place)| format!("{name}={place}")).collect();
    assert_eq!(places, ["PROGRAM=\"/usr/bin/env\"", "READ_0=\"/usr/share\"", "RUN={run}"]);
    let artefact = String::from_utf8(profile.artefact()).unwrap();
    assert!(artefact.ends_with("RUN={run}\0"), "{artefact}");
}

#[test]
fn two_programs_are_more_than_a_profile_lets_be_executed() {
    let policy = Policy::builder()
        .execute(Path::new("/usr/bin/env"))
        .and_then(|builder| builder.execute(Path::new("/usr/bin/tail")))
        .and_then(crate::policy::PolicyBuilder::build)
        .unwrap();
    assert_eq!(Profile::of(&policy), Err(PlaceError::Programs { count: 2 }));
}
