//! Real interpreters run real attempts, each without the hook, under it, and under it with one rule taken away.
//!
//! What an attempt achieves is seen from outside: a token in its output, a change in directories that it must not change, a
//! marker in its own directory that only the refused act could leave, a connection, a signal that arrived.

mod files;
mod interpreter;
mod launch;
mod metadata;
mod modules;
mod processes;
mod rules;
mod sockets;
mod startup;
mod useful;
mod world;

use super::{HookError, HookPolicy, HookRules, LARGEST_POLICY, arguments, plain_arguments};
use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;
use std::path::{Path, PathBuf};
use world::{Arm, World, interpreters};

/// The attempt has its effect without the hook, and under it is refused with the error of the layer below.
fn refused(program: &str) {
    check(program, None);
}

/// As [`refused`], and the effect is back when `weaken` takes the rule away that the attempt witnesses.
fn refused_by(program: &str, weaken: fn(&mut HookRules)) {
    check(program, Some(weaken));
}

/// Every interpreter tries; what a rule is good for is a fact about the rules, and one of them is enough to show it.
/// A program that lacks a module says `absent`, and there is nothing to refuse.
fn check(program: &str, weaken: Option<fn(&mut HookRules)>) {
    let mut weaken = weaken;
    for interpreter in interpreters() {
        let run = |arm: Arm| {
            let mut world = World::new();
            let seen = world.run(interpreter, program, &arm);
            (world.effect(&seen), seen)
        };
        let (effect, seen) = run(Arm::Plain);
        if seen.stdout.trim() == "absent" {
            continue;
        }
        assert!(effect, "no effect without the hook: {interpreter:?} {seen:?}");

        let (effect, seen) = run(Arm::Hook(HookRules::standard()));
        assert!(!effect, "the hook let it pass: {interpreter:?} {seen:?}");
        assert!(seen.refused(), "stopped by something else: {interpreter:?} {seen:?}");

        if let Some(weaken) = weaken.take() {
            let mut rules = HookRules::standard();
            weaken(&mut rules);
            assert_ne!(rules, HookRules::standard(), "nothing was taken away");
            let (effect, seen) = run(Arm::Hook(rules));
            assert!(effect, "the rule is not what stops it: {interpreter:?} {seen:?}");
        }
    }
}

/// Takes away what judges `event`, and lets the namespace permit it.
fn unjudged(rules: &mut HookRules, event: &str) {
    rules.arguments.remove(event).unwrap();
    rules.allowed.insert(event.to_owned());
}

/// The program behaves under the hook as it does without: same output, same status, nothing on standard error.
fn permitted(program: &str) {
    for interpreter in interpreters() {
        let control = World::new().run(interpreter, program, &Arm::Plain);
        assert_eq!(
            (control.status, control.stderr.as_str()),
            (Some(0), ""),
            "{interpreter:?} {control:?}"
        );
        let hooked = World::new().run(interpreter, program, &Arm::Hook(HookRules::standard()));
        assert_eq!(
            (hooked.status, hooked.stderr.as_str()),
            (Some(0), ""),
            "{interpreter:?} {hooked:?}"
        );
        assert_eq!(control.stdout, hooked.stdout, "{interpreter:?}");
        assert!(!control.stdout.is_empty(), "the program says nothing that could differ");
    }
}

#[test]
fn the_program_and_its_arguments_come_last_with_and_without_the_hook() {
    let given = [OsString::from("-c"), OsString::from_vec(vec![0xff])];
    let hooked =
        arguments(&HookPolicy::default(), &HookRules::standard(), Path::new("/program.py"), &given)
            .unwrap();
    let plain = plain_arguments(Path::new("/program.py"), &given);
    let tail: [OsString; 3] = ["/program.py".into(), "-c".into(), OsString::from_vec(vec![0xff])];
    assert_eq!(hooked[hooked.len() - 3..], tail);
    assert_eq!(plain[plain.len() - 3..], tail);
    assert_eq!(hooked[..6], plain[..6]);
    assert_eq!(hooked[6], "-c");
    assert_eq!(hooked.len(), plain.len() + 3);
}

#[test]
fn rules_survive_the_way_through_json() {
    let text = serde_json::to_string(&HookRules::standard()).unwrap();
    assert_eq!(serde_json::from_str::<HookRules>(&text).unwrap(), HookRules::standard());
}

#[test]
fn a_policy_that_cannot_be_passed_on_whole_is_an_error() {
    let attempt = |path: PathBuf| {
        let policy = HookPolicy { read: [path].into(), ..HookPolicy::default() };
        arguments(&policy, &HookRules::standard(), Path::new("/program.py"), &[])
    };
    assert!(attempt("/ordinary".into()).is_ok());
    assert!(matches!(attempt("relative".into()), Err(HookError::RelativePath { .. })));
    assert!(matches!(
        attempt(OsString::from_vec(b"/\xff".into()).into()),
        Err(HookError::Encode(_))
    ));
    let long = format!("/{}", "x".repeat(LARGEST_POLICY));
    assert!(
        matches!(attempt(long.into()), Err(HookError::TooLarge { bytes }) if bytes > LARGEST_POLICY)
    );
}
