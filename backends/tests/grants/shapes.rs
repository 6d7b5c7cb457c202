//! Grants whose text says one thing and whose place is another: spellings, links, mounts, nesting.

use super::*;
use backends::policy::GrantError;

const READ: i32 = libc::O_RDONLY;
const WRITE: i32 = libc::O_WRONLY;

/// TC-DOTDOT
#[test]
fn a_path_that_climbs_is_relative_or_waits_for_a_shell_is_refused() {
    let place = Place::new();
    let (own, secret) = (place.text("work/own"), place.text("outside/secret"));
    let tape = opens(&[(&own, READ), (&secret, READ)]);
    let climbing = place.text("work/../outside");
    assert!(place.naive(&place.text("work"), &climbing, &tape)[1] >= 0);
    let refused = |path: &str| match place.policy(&Grants::default().read(path), &tape) {
        Err(Refusal::Place(error)) => error,
        other => panic!("{path}: {other:?}"),
    };
    assert!(matches!(refused(&climbing), GrantError::DotDot { .. }));
    assert!(matches!(refused(&place.text("work/..")), GrantError::DotDot { .. }));
    for relative in ["work", "./work", "~/work", "$HOME", ""] {
        let error = refused(relative);
        assert!(matches!(error, GrantError::Relative { .. } | GrantError::Empty), "{error}");
    }
    // Slashes and dots that mean nothing change nothing.
    for same in ["work/", "work//", "work/.", "./work"] {
        let grants = Grants::default().read(format!("{}/{same}", place.base.display()));
        let seen = place.play(&grants, &tape);
        assert!(seen[0] >= 0 && seen[1] == DENIED, "{same}: {seen:?}");
    }
}

/// TC-GRANTROOT
#[test]
fn the_root_and_what_holds_a_protected_place_are_refused() {
    let place = Place::new();
    let (own, secret) = (place.text("work/own"), place.text("outside/secret"));
    let tape = opens(&[(&own, READ), (&secret, READ)]);
    let base = place.text("");
    assert!(place.naive(&base, &base, &tape)[1] >= 0);
    assert!(matches!(
        place.policy(&Grants::default().read("/"), &tape),
        Err(Refusal::Place(GrantError::Root { .. }))
    ));
    let spare = |grants: Grants| grants.spare(&place.path("outside"));
    assert!(matches!(spare(Grants::default().read(&base)), Err(Refusal::Protected { .. })));
    let grants = Grants::default().read(place.path("work"));
    assert!(spare(grants.clone()).is_ok());
    let seen = place.play(&grants, &tape);
    assert!(seen[0] >= 0 && seen[1] == DENIED, "{seen:?}");
}

/// TC-PREHARDLINK
#[test]
fn a_file_with_a_name_outside_is_not_written_through_a_grant() {
    let place = Place::new();
    let linked = place.text("work/linked");
    let tape = opens(&[(&linked, WRITE | libc::O_TRUNC)]);
    let work = || Grants::default().write(place.path("work"));
    fs::hard_link(place.path("outside/secret"), &linked).unwrap();
    assert!(place.naive(&place.text("work"), &place.text("work"), &tape)[0] >= 0);
    assert_eq!(fs::read(place.path("outside/secret")).unwrap(), b"", "the store is changed");

    let refused = |grants: &Grants| match place.policy(grants, &tape) {
        Err(Refusal::Shared { file, names: 2, inside: 1 }) => file == Path::new(&linked),
        _ => false,
    };
    assert!(refused(&work()));
    assert!(refused(&Grants::default().write(&linked)));
    // It may be read, it may be said, and all its names may be granted.
    assert!(place.policy(&Grants::default().read(place.path("work")), &tape).is_ok());
    let mut said = work();
    said.shared_files = true;
    assert!(place.play(&said, &tape)[0] >= 0);
    let both = work().write(place.path("outside/secret"));
    assert!(place.play(&both, &tape)[0] >= 0);
    // A copy is the program's own.
    fs::remove_file(&linked).unwrap();
    fs::copy(place.path("outside/secret"), &linked).unwrap();
    assert!(place.play(&work(), &tape)[0] >= 0);
}

/// TC-DIRVSFILE
#[test]
fn the_grant_of_a_file_gives_nothing_of_its_directory() {
    let place = Place::new();
    let (own, beside) = (place.text("work/own"), place.text("work/beside"));
    let (work, fresh) = (place.text("work"), place.text("work/fresh"));
    fs::write(&beside, "beside").unwrap();
    let tape = opens(&[
        (&own, WRITE),
        (&beside, READ),
        (&work, READ | libc::O_DIRECTORY),
        (&fresh, WRITE | libc::O_CREAT),
    ]);
    let widened = place.naive(&work, &work, &tape);
    assert!(widened.iter().take(4).all(|answer| *answer >= 0), "a rule widened to the parent");
    fs::remove_file(&fresh).unwrap();
    let seen = place.play(&Grants::default().write(&own), &tape);
    assert!(seen[0] >= 0, "{seen:?}");
    assert_eq!(seen[1..4], [DENIED; 3]);

    let policy = place.policy(&Grants::default().write(&own), &tape).unwrap();
    fs::remove_file(&own).unwrap();
    fs::create_dir(&own).unwrap();
    assert!(native().prepare(&policy).is_err(), "a file that became a directory");
}

/// TC-NESTED
#[test]
fn a_read_grant_in_a_write_grant_is_refused_because_the_kernel_would_not_keep_it() {
    let place = Place::new();
    fs::create_dir(place.path("work/inner")).unwrap();
    let inner = place.text("work/inner/decoy");
    fs::write(&inner, "decoy").unwrap();
    let tape = opens(&[(&inner, WRITE | libc::O_TRUNC)]);
    // What a union of both rules gives.
    assert!(place.naive(&place.text("work"), &place.text("work"), &tape)[0] >= 0);
    let nested = Grants::default().write(place.path("work")).read(place.path("work/inner"));
    assert!(matches!(
        place.policy(&nested, &tape),
        Err(Refusal::Place(GrantError::NarrowerInside { .. }))
    ));
    let wider_inside = Grants::default().read(place.path("work")).write(place.path("work/inner"));
    assert!(place.play(&wider_inside, &tape)[0] >= 0);
    let read = Grants::default().read(place.path("work"));
    assert_eq!(place.play(&read, &tape)[0], DENIED);
}

/// TC-BINDMOUNT
#[test]
fn a_directory_with_another_tree_mounted_in_it_is_refused() {
    let place = Place::new();
    // The one place in which every host has other trees mounted.
    let other = tempfile::Builder::new().tempdir_in("/dev/shm").unwrap();
    let secret = other.path().join("secret");
    fs::write(&secret, "secret").unwrap();
    let secret = secret.to_str().unwrap();
    let tape = opens(&[(secret, READ)]);
    // A naive host grants what it was asked for: rules hold across mounts.
    let program = place.path("program");
    tape.write_to(&program).unwrap();
    let policy =
        Policy::builder().read(Path::new("/dev")).unwrap().execute(&program).unwrap().build();
    let seen = finish(place.launch(&*native().prepare(&policy.unwrap()).unwrap()));
    assert!(seen[0] >= 0, "{seen:?}");

    match place.policy(&Grants::default().read("/dev"), &tape) {
        Err(Refusal::Mounted { grant, mount }) => {
            assert_eq!(grant, Path::new("/dev"));
            assert!(mount.starts_with("/dev/"), "{mount:?}");
        }
        other => panic!("{other:?}"),
    }
    assert!(place.play(&Grants::default().read(other.path()), &tape)[0] >= 0);
}

/// TC-CASEUNICODE
#[test]
fn places_are_told_apart_by_what_they_are_and_not_by_how_they_are_spelled() {
    let place = Place::new();
    for name in ["Work", "caf\u{e9}", "cafe\u{301}"] {
        fs::create_dir(place.path(name)).unwrap();
        fs::write(place.path(name).join("own"), "own").unwrap();
    }
    // Names that fold to one are two directories here, and the grant is of one.
    for [granted, other] in [["work", "Work"], ["caf\u{e9}", "cafe\u{301}"]] {
        let (granted, other) = (place.text(granted), place.text(other));
        let (in_granted, in_other) = (format!("{granted}/own"), format!("{other}/own"));
        let tape = opens(&[(&in_granted, READ), (&in_other, READ)]);
        let seen = place.play(&Grants::default().read(&granted), &tape);
        assert!(seen[0] >= 0 && seen[1] == DENIED, "{seen:?}");
        let seen = place.naive(&place.text(""), &other, &tape);
        assert!(seen[0] == DENIED && seen[1] >= 0, "a host that folds names grants the other");
    }
    // Two spellings of one file: by their text one could be read only, by what they are it is written.
    fs::hard_link(place.path("work/own"), place.path("work/alias")).unwrap();
    let (own, alias) = (place.text("work/own"), place.text("work/alias"));
    let tape = opens(&[(&alias, WRITE)]);
    assert!(place.naive(&own, &own, &tape)[0] >= 0);
    let mut grants = Grants::default().write(&own).read(&alias);
    grants.shared_files = true;
    assert!(matches!(
        place.policy(&grants, &tape),
        Err(Refusal::Place(GrantError::NarrowerInside { .. }))
    ));
}
