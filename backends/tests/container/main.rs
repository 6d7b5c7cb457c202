//! The mode `container` on the real engines of this host. Where a host has no container to give, the
//! tests are ignored when the list is made, and their kind says why; that nothing runs then is tested everywhere.

#![cfg(target_os = "linux")]
#![expect(clippy::unwrap_used, reason = "a test fails where its setting is broken")]

mod choice;
mod ends;
mod holds;
mod mounts;
mod place;
mod sessions;
mod streams;

use backends::container::Engine;
use libtest_mimic::{Arguments, Trial};
use std::path::Path;

const PLACES: &str = "/usr/local/bin:/usr/bin:/bin:/usr/local/sbin:/usr/sbin:/sbin";

fn main() {
    if let Some(base) = std::env::var_os("ESCAPOLOGY_TEST_HOST") {
        sessions::host(Path::new(&base));
        return;
    }
    if let Some(run) = std::env::var_os("ESCAPOLOGY_TEST_SLEEPING") {
        ends::host(Path::new(&run));
        return;
    }
    if let Some(base) = std::env::var_os("ESCAPOLOGY_TEST_MOUNTED") {
        mounts::write_below(Path::new(&base));
        return;
    }
    let mut trials = vec![
        Trial::test("a_host_without_an_engine_is_told_and_nothing_runs", || {
            choice::nothing_runs();
            Ok(())
        }),
        Trial::test("an_engine_that_lies_is_not_used", || {
            choice::a_liar_is_not_used();
            Ok(())
        }),
        Trial::test("a_client_of_docker_is_told_of_and_not_used", || {
            choice::docker_is_no_engine();
            Ok(())
        }),
    ];
    for engine in Engine::ALL {
        trials.extend(of_engine(engine));
    }
    // The session takes whichever there is, so it is without one only if every engine is absent.
    let absent = Engine::ALL.into_iter().map(absent).min().flatten();
    trials.extend([
        trial(
            "session",
            absent,
            "a_session_runs_each_program_in_a_container_of_its_own",
            sessions::session,
        ),
        trial(
            "session",
            absent,
            "a_killed_host_leaves_no_container_and_is_swept",
            sessions::killed,
        ),
    ]);
    libtest_mimic::run(&Arguments::from_args(), trials).exit();
}

/// Why this host has no container of an engine: not that one was tried and failed, which is a failure.
fn absent(engine: Engine) -> Option<&'static str> {
    let is_installed = |name| PLACES.split(':').any(|place| Path::new(place).join(name).exists());
    let is_complete = is_installed(engine.program()) && is_installed(engine.runtime().name());
    if is_complete { no_namespaces() } else { Some("not-installed") }
}

#[expect(clippy::disallowed_methods, reason = "asks the kernel through a program that is not ours")]
fn no_namespaces() -> Option<&'static str> {
    let made = std::process::Command::new("unshare")
        .args(["--user", "--map-root-user", "--mount", "--pid", "--fork", "--mount-proc", "true"])
        .output();
    let can = made.is_ok_and(|made| made.status.success());
    (!can).then_some("no-user-namespaces")
}

fn trial(
    group: &str,
    absent: Option<&str>,
    name: &str,
    test: impl FnOnce() + Send + 'static,
) -> Trial {
    let trial = Trial::test(format!("{group}::{name}"), move || {
        test();
        Ok(())
    });
    match absent {
        Some(why) => trial.with_kind(why).with_ignored_flag(true),
        None => trial,
    }
}

/// One test of an engine.
type Test = fn(Engine);

fn of_engine(engine: Engine) -> Vec<Trial> {
    let tests: [(&str, Test); 10] = [
        ("a_granted_place_that_was_swapped_is_refused", holds::swapped),
        ("what_is_mounted_below_a_granted_directory_is_read_only_too", mounts::mounted),
        ("an_engine_that_fails_is_not_taken_for_a_program_that_ends", ends::fails),
        ("a_program_reads_and_writes_what_is_granted_and_nothing_else", holds::files),
        ("a_program_has_no_network_no_process_no_capability_and_gains_none", holds::surface),
        ("limits_end_a_program", ends::limits),
        ("a_killed_program_takes_its_container_along", ends::kill),
        ("a_killed_host_leaves_nothing_that_lives", ends::host_killed),
        ("what_an_engine_keeps_lies_in_the_bundle_and_nowhere_else", holds::kept),
        ("arguments_and_streams_pass_as_they_are", streams::streams),
    ];
    let absent = absent(engine);
    tests
        .into_iter()
        .map(|(name, test)| trial(engine.name(), absent, name, move || test(engine)))
        .collect()
}
