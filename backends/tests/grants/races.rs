//! A place that becomes another one: between check, policy, launch and use.

use super::*;
use backends::none::none;
use std::os::unix::fs::symlink;

const READ: i32 = libc::O_RDONLY;
const WRITE: i32 = libc::O_WRONLY;
const OVERWRITE: i32 = libc::O_WRONLY | libc::O_TRUNC;

/// TC-GRANTSYMLINK
#[test]
fn a_grant_that_is_or_becomes_a_symbolic_link_is_refused() {
    let place = Place::new();
    let secret = place.text("outside/secret");
    let tape = opens(&[(&secret, READ)]);
    symlink(place.path("outside"), place.path("work/link")).unwrap();
    let link = place.text("work/link");
    assert!(place.naive(&place.text("work"), &link, &tape)[0] >= 0);

    let refusal = place.policy(&Grants::default().read(&link), &tape).unwrap_err();
    assert!(refusal.to_string().contains("symbolic link"), "{refusal}");

    let policy = place.policy(&Grants::default().read(place.path("work")), &tape).unwrap();
    fs::rename(place.path("work"), place.path("moved")).unwrap();
    symlink(place.path("outside"), place.path("work")).unwrap();
    let error = native().prepare(&policy).unwrap_err();
    assert_eq!(error.call, "openat2", "{error}");
    assert!(place.naive(&place.text("work"), &place.text("work"), &tape)[0] >= 0);
}

/// TC-SWAPBEFORELAUNCH
#[test]
fn a_grant_whose_place_was_swapped_between_policy_and_launch_is_refused() {
    let place = Place::new();
    let inside = place.text("work/secret");
    let tape = opens(&[(&inside, READ)]);
    let policy = place.policy(&Grants::default().read(place.path("work")), &tape).unwrap();
    fs::rename(place.path("work"), place.path("kept")).unwrap();
    fs::rename(place.path("outside"), place.path("work")).unwrap();
    let error = native().prepare(&policy).unwrap_err();
    assert_eq!(error.call, "statx", "{error}");
    // What the naive host grants is what stands there now.
    assert!(place.naive(&place.text("work"), &place.text("work"), &tape)[0] >= 0);

    fs::rename(place.path("work"), place.path("outside")).unwrap();
    fs::rename(place.path("kept"), place.path("work")).unwrap();
    let policy = place.policy(&Grants::default().read(place.path("work")), &tape).unwrap();
    assert_eq!(
        finish(place.launch(&*native().prepare(&policy).unwrap()))[0],
        -2,
        "the place is back"
    );
}

#[test]
fn a_file_that_was_removed_and_made_anew_is_another_although_its_number_is_the_same() {
    let place = Place::new();
    let own = place.text("work/own");
    let tape = opens(&[(&own, READ)]);
    let policy = place.policy(&Grants::default().read(&own), &tape).unwrap();
    assert!(finish(place.launch(&*native().prepare(&policy).unwrap()))[0] >= 0);
    let born = || fs::metadata(&own).unwrap().created().unwrap();
    let before = born();
    // File systems take their times from a clock that ticks: until it has, both have one birth.
    while born() == before {
        fs::remove_file(&own).unwrap();
        fs::write(&own, "another").unwrap();
    }
    let error = native().prepare(&policy).unwrap_err();
    assert_eq!(error.call, "statx", "{error}");
}

#[test]
fn a_swap_after_the_preparation_reaches_nothing_new_however_many_places_are_granted() {
    let place = Place::new();
    let mut grants = Grants::default();
    // More than are kept open: the last ones are opened at each launch.
    for number in 0..60 {
        let name = place.path(&format!("work/{number:02}"));
        fs::create_dir(&name).unwrap();
        grants = grants.read(&name);
    }
    let (first, last) = (place.text("work/00"), place.text("work/59"));
    let (in_first, in_last) = (format!("{first}/secret"), format!("{last}/secret"));
    let tape = opens(&[(&first, READ), (&in_first, READ), (&in_last, READ)]);
    let policy = place.policy(&grants, &tape).unwrap();
    let confinement = native().prepare(&policy).unwrap();
    assert_eq!(finish(place.launch(&*confinement))[1..3], [-2, -2], "both are granted and empty");

    let swap = |name: &str| {
        fs::rename(name, format!("{name}-kept")).unwrap();
        fs::create_dir(name).unwrap();
        fs::write(format!("{name}/secret"), "secret").unwrap();
    };
    swap(&first);
    assert_eq!(finish(place.launch(&*confinement))[..2], [DENIED, DENIED], "the rule stays behind");
    swap(&last);
    let command = Command::new(place.path("program"), place.path("run"));
    assert!(confinement.launch(command).is_err(), "and what is opened late is compared");
}

/// TC-FILEGRANTREPLACE
#[test]
fn a_granted_file_that_is_replaced_while_the_program_runs_is_not_granted_by_its_name() {
    let place = Place::new();
    let (own, old) = (place.text("work/own"), place.text("work/old"));
    let tape = waits_and_opens(&[(&own, OVERWRITE), (&old, WRITE)]);
    let replace = || {
        fs::rename(&own, &old).unwrap();
        fs::write(place.path("work/new"), "evidence").unwrap();
        fs::rename(place.path("work/new"), &own).unwrap();
    };
    let policy = place.policy(&Grants::default().write(&own), &tape).unwrap();
    let child = place.launch(&*none().prepare(&policy).unwrap());
    assert!(change_while_it_waits(child, replace)[0] >= 0);
    assert_eq!(fs::read(&own).unwrap(), b"", "the naive host lets the new file be emptied");

    let policy = place.policy(&Grants::default().write(&own), &tape).unwrap();
    let child = place.launch(&*native().prepare(&policy).unwrap());
    let seen = change_while_it_waits(child, replace);
    assert_eq!(seen[0], DENIED);
    assert_eq!(fs::read(&own).unwrap(), b"evidence");
    assert!(seen[1] >= 0, "the grant goes with the file that was granted");
}

/// TC-DELETEDCWD
#[test]
fn a_run_directory_that_is_made_anew_while_the_program_lives_is_not_its_own() {
    let place = Place::new();
    let own = place.text("run/own");
    let tape = waits_and_opens(&[(&own, WRITE | libc::O_CREAT), ("own", WRITE | libc::O_CREAT)]);
    let remake = || {
        fs::remove_dir(place.path("run")).unwrap();
        fs::create_dir(place.path("run")).unwrap();
    };
    let policy = place.policy(&Grants::default(), &tape).unwrap();
    let child = place.launch(&*none().prepare(&policy).unwrap());
    assert!(change_while_it_waits(child, remake)[0] >= 0);
    assert!(Path::new(&own).exists(), "the naive host gets the file into the new session");
    fs::remove_file(&own).unwrap();

    let child = place.launch(&*native().prepare(&policy).unwrap());
    assert_eq!(change_while_it_waits(child, remake), [DENIED, -i64::from(libc::ENOENT)]);
    assert_eq!(fs::read_dir(place.path("run")).unwrap().count(), 0);
    let child = place.launch(&*native().prepare(&policy).unwrap());
    let seen = change_while_it_waits(child, || {});
    assert!(seen.iter().all(|answer| *answer >= 0), "its own run directory is its own: {seen:?}");
}
