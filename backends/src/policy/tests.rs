//! Policies: what is refused, and that the canonical form keeps what matters apart.

use super::*;
use proptest::prelude::*;
use std::fs;
use std::os::unix::fs::symlink;

fn refusal(path: &Path) -> GrantError {
    match Policy::builder().read(path) {
        Ok(_) => panic!("{path:?} was granted"),
        Err(error) => error,
    }
}

#[test]
fn a_plain_existing_path_is_granted_and_every_other_is_refused_by_name() {
    let folder = tempfile::tempdir().unwrap();
    let base = folder.path().canonicalize().unwrap();
    fs::create_dir(base.join("directory")).unwrap();
    fs::write(base.join("directory/file"), b"").unwrap();
    symlink("directory", base.join("link")).unwrap();
    symlink("nowhere", base.join("dangling")).unwrap();

    Policy::builder().read(&base.join("directory")).unwrap();
    Policy::builder().read(&base.join("directory/file")).unwrap();
    Policy::builder().read(&base.join("directory/")).unwrap();

    assert!(matches!(refusal(Path::new("")), GrantError::Empty));
    assert!(matches!(refusal(Path::new("relative")), GrantError::Relative { .. }));
    assert!(matches!(refusal(Path::new("~")), GrantError::Relative { .. }));
    assert!(matches!(refusal(&base.join("directory/../directory")), GrantError::DotDot { .. }));
    assert!(matches!(refusal(Path::new("/")), GrantError::Root { .. }));
    assert!(matches!(refusal(Path::new("//")), GrantError::Root { .. }));
    assert!(matches!(refusal(Path::new("/tmp\0x")), GrantError::Nul { .. }));
    assert!(matches!(refusal(&base.join("link")), GrantError::Symlink { .. }));
    assert!(matches!(refusal(&base.join("link/file")), GrantError::Symlink { .. }));
    assert!(matches!(refusal(&base.join("dangling")), GrantError::LookUp { .. }));
    assert!(matches!(refusal(&base.join("absent")), GrantError::LookUp { .. }));
    let not_utf8 = std::ffi::OsStr::from_encoded_bytes(b"/tmp/\xff");
    assert!(matches!(refusal(Path::new(not_utf8)), GrantError::NotUtf8 { .. }));
}

trait FromEncoded {
    fn from_encoded_bytes(bytes: &[u8]) -> &std::ffi::OsStr;
}

impl FromEncoded for std::ffi::OsStr {
    fn from_encoded_bytes(bytes: &[u8]) -> &std::ffi::OsStr {
        std::os::unix::ffi::OsStrExt::from_bytes(bytes)
    }
}

#[test]
fn a_read_grant_inside_a_write_grant_is_refused_and_the_same_path_twice_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let base = folder.path().canonicalize().unwrap();
    fs::create_dir(base.join("inner")).unwrap();

    let nested = Policy::builder().write(&base).unwrap().read(&base.join("inner")).unwrap().build();
    assert!(matches!(nested, Err(GrantError::NarrowerInside { .. })));

    let twice = Policy::builder().write(&base).unwrap().read(&base).unwrap().build().unwrap();
    assert!(twice.read().is_empty());
    assert_eq!(twice.write().len(), 2);

    let sibling = base.join("inner-not");
    fs::create_dir(&sibling).unwrap();
    let apart =
        Policy::builder().write(&base.join("inner")).unwrap().read(&sibling).unwrap().build();
    assert!(apart.is_ok());
}

#[test]
fn a_directory_is_not_granted_for_execution() {
    let error = Policy::builder().execute(Path::new("/tmp")).unwrap_err();
    assert!(matches!(error, GrantError::ExecuteDirectory { .. }));
}

#[test]
fn every_part_of_a_policy_changes_its_commitment() {
    let folder = tempfile::tempdir().unwrap();
    let base = folder.path().canonicalize().unwrap();
    let plain = || Policy::builder();
    let limits = Limits { open_files: Bound::At(1), ..Limits::default() };
    let policies = [
        plain().build().unwrap(),
        plain().read(&base).unwrap().build().unwrap(),
        plain().write(&base).unwrap().build().unwrap(),
        plain().execute(Path::new("/proc/version")).unwrap().build().unwrap(),
        plain().environment("NAME", "value").build().unwrap(),
        plain().limits(limits).build().unwrap(),
        plain()
            .limits(Limits { cpu_seconds: Bound::Unlimited, ..Limits::default() })
            .build()
            .unwrap(),
        plain()
            .limits(Limits { run_directory_bytes: Bound::At(1), ..Limits::default() })
            .build()
            .unwrap(),
        plain()
            .limits(Limits { run_directory_entries: Bound::At(1), ..Limits::default() })
            .build()
            .unwrap(),
    ];
    let mut commitments: Vec<String> =
        policies.iter().map(|policy| policy.commitment().to_string()).collect();
    commitments.sort();
    commitments.dedup();
    assert_eq!(commitments.len(), policies.len());
    assert_eq!(policies[0].commitment(), plain().build().unwrap().commitment());
}

proptest! {
    #[test]
    fn the_order_of_building_does_not_change_the_bytes(names in proptest::collection::vec("[a-z]{1,8}", 1..6)) {
        let forward = names.iter().fold(Policy::builder(), |builder, name| builder.environment(name, "x"));
        let backward = names.iter().rev().fold(Policy::builder(), |builder, name| builder.environment(name, "x"));
        prop_assert_eq!(forward.build().unwrap().canonical(), backward.build().unwrap().canonical());
    }

    #[test]
    fn different_values_have_different_bytes(one in any::<String>(), other in any::<String>()) {
        let bytes = |value: &str| Policy::builder().environment("NAME", value).build().unwrap().canonical();
        prop_assert_eq!(one == other, bytes(&one) == bytes(&other));
    }
}
