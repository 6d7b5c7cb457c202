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

#[test]
fn what_a_program_needs_is_granted_as_it_needs_it() {
    let needs = crate::discover::program(Path::new("sh"), "/bin:/usr/bin".as_ref()).unwrap();
    let granted = |grants: &BTreeSet<Grant>| -> BTreeSet<Place> {
        grants.iter().map(|grant| grant.place().clone()).collect()
    };
    let needed = |paths: &BTreeSet<std::path::PathBuf>| -> BTreeSet<Place> {
        paths.iter().map(|path| Place::Path(path.to_str().unwrap().to_owned())).collect()
    };
    let policy = Policy::builder().needs(&needs).unwrap().build().unwrap();
    assert!(needs.execute.contains(&needs.image));
    assert_eq!(granted(policy.execute()), needed(&needs.execute));
    assert_eq!(granted(policy.read()), needed(&needs.read));
    assert_eq!(policy.write(), Policy::builder().build().unwrap().write());
    let absent = crate::discover::Needs { read: ["/absent".into()].into(), ..needs };
    assert!(matches!(Policy::builder().needs(&absent), Err(GrantError::LookUp { .. })));
}

#[test]
fn a_path_through_no_link_is_granted_by_its_plain_text_and_a_link_names_where_it_leads() {
    let folder = tempfile::tempdir().unwrap();
    let base = folder.path().canonicalize().unwrap();
    fs::write(base.join("file"), b"").unwrap();
    symlink("file", base.join("link")).unwrap();
    let odd = format!("{}//./file/", base.display());
    // A trailing slash is for directories alone.
    assert!(matches!(refusal(Path::new(&odd)), GrantError::LookUp { call: "realpath", .. }));
    let odd = format!("{}//./file", base.display());
    let policy = Policy::builder().read(Path::new(&odd)).unwrap().build().unwrap();
    let grant = policy.read().first().unwrap();
    let plain = base.join("file").to_str().unwrap().to_owned();
    assert_eq!((grant.place(), grant.kind()), (&Place::Path(plain), Kind::File));
    let metadata = base.join("file").symlink_metadata().unwrap();
    assert_eq!(grant.identity(), Some(Identity::of(&metadata)));
    let GrantError::Symlink { resolved, .. } = refusal(&base.join("link")) else { panic!() };
    assert_eq!(resolved, base.join("file"));
}

#[test]
fn only_a_path_that_is_not_there_is_advised_to_be_made() {
    let folder = tempfile::tempdir().unwrap();
    let base = folder.path().canonicalize().unwrap();
    fs::write(base.join("file"), b"").unwrap();
    assert!(refusal(&base.join("absent")).to_string().contains("must exist"));
    assert!(!refusal(&base.join("file/inner")).to_string().contains("must exist"));
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
fn a_policy_says_of_itself_exactly_what_was_granted() {
    let folder = tempfile::tempdir().unwrap();
    let base = folder.path().canonicalize().unwrap();
    for name in ["read", "write", "execute"] {
        fs::write(base.join(name), b"").unwrap();
    }
    let limits = Limits { open_files: Bound::At(7), ..Limits::default() };
    let policy = Policy::builder()
        .read(&base.join("read"))
        .unwrap()
        .program_text()
        .write(&base.join("write"))
        .unwrap()
        .execute(&base.join("execute"))
        .unwrap()
        .environment("NAME", "value")
        .limits(limits.clone())
        .build()
        .unwrap();
    let places = |grants: &BTreeSet<Grant>| -> Vec<(Place, Kind)> {
        grants.iter().map(|grant| (grant.place().clone(), grant.kind())).collect()
    };
    let at = |name: &str| (Place::Path(base.join(name).to_str().unwrap().to_owned()), Kind::File);
    assert_eq!(places(policy.read()), [(Place::Program, Kind::File), at("read")]);
    assert_eq!(places(policy.write()), [(Place::Run, Kind::Directory), at("write")]);
    assert_eq!(places(policy.execute()), [at("execute")]);
    assert_eq!(policy.limits(), &limits);
    let mut environment = Policy::of_limits(Limits::default()).environment().clone();
    assert_eq!(environment.insert("NAME".into(), "value".into()), None);
    assert_eq!(policy.environment(), &environment);
}

#[test]
fn what_no_grant_names_is_the_same_on_every_host_and_so_is_its_digest() {
    let plain = Policy::builder().build().unwrap();
    let pairs: Vec<(&str, &str)> =
        plain.environment().iter().map(|(name, value)| (&**name, &**value)).collect();
    assert_eq!(
        pairs,
        [
            ("HOME", "{run}"),
            ("LANG", "C.UTF-8"),
            ("PATH", "/usr/bin:/bin"),
            ("PYTHONDONTWRITEBYTECODE", "1"),
            ("TMPDIR", "{run}"),
        ]
    );
    assert_eq!(plain, Policy::of_limits(Limits::default()));
    let digest = "sha256:48e145fbbcc4ae2567685a2db7a6c4daace7102154ca7157dc0ae6980553b9db";
    assert_eq!(plain.commitment().to_string(), digest);
    assert_eq!(format!("{:?}", plain.commitment()), format!("Commitment({digest})"));
    assert_eq!(serde_json::to_value(plain.commitment()).unwrap(), digest);
    assert_eq!(digest_of_canonical(&plain.canonical()), digest);
    assert_ne!(digest_of_canonical(b"{}"), digest);
}

#[test]
fn the_harmless_devices_are_read_and_only_the_empty_one_is_written() {
    let policy = Policy::builder().devices().unwrap().build().unwrap();
    let names = |grants: &BTreeSet<Grant>| -> Vec<String> {
        grants.iter().map(|grant| grant.place().to_string()).collect()
    };
    let there = |names: &[&str]| -> Vec<String> {
        let there = names.iter().filter(|name| Path::new(name).exists());
        there.map(|name| format!("{name:?}")).collect()
    };
    assert_eq!(names(policy.read()), there(&["/dev/random", "/dev/urandom", "/dev/zero"]));
    assert_eq!(names(policy.write())[1..], there(&["/dev/null"]));
}

#[test]
fn a_read_grant_is_inside_a_write_grant_whatever_way_leads_there_and_no_other_is() {
    let folder = tempfile::tempdir().unwrap();
    let base = folder.path().canonicalize().unwrap();
    fs::create_dir(base.join("directory")).unwrap();
    for name in ["directory/file", "own", "other"] {
        fs::write(base.join(name), b"").unwrap();
    }
    fs::hard_link(base.join("own"), base.join("second")).unwrap();
    let build = |write: &str, read: &str| {
        let builder = Policy::builder().write(&base.join(write)).unwrap();
        builder.read(&base.join(read)).unwrap().build()
    };
    for (write, read) in [("directory", "directory/file"), ("own", "second")] {
        match build(write, read) {
            Err(GrantError::NarrowerInside { inner, outer }) => {
                let text = |name: &str| format!("{:?}", base.join(name).to_str().unwrap());
                assert_eq!((inner.to_string(), outer.to_string()), (text(read), text(write)));
            }
            other => panic!("{other:?}"),
        }
    }
    for (write, read) in [("own", "other"), ("directory", "other"), ("directory/file", "own")] {
        build(write, read).unwrap();
    }
    // The run directory holds no place of the host, and the program's text lies beside it.
    Policy::builder().program_text().read(&base.join("own")).unwrap().build().unwrap();
}

#[test]
fn a_place_holds_itself_and_what_is_beneath_and_one_that_is_not_there_holds_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let base = folder.path().canonicalize().unwrap();
    fs::create_dir_all(base.join("a/b")).unwrap();
    fs::create_dir(base.join("a-b")).unwrap();
    let at = |name: &str| base.join(name);
    assert!(holds(&at("a"), &at("a")) && holds(&at("a"), &at("a/b")));
    // What stands there decides, whatever the text says; and what is beneath need not be there.
    assert!(holds(&at("a"), &at("a-b/../a/b")) && holds(&at("a-b/../a"), &at("a/absent")));
    assert!(!holds(&at("a"), &at("a-b")) && !holds(&at("a/b"), &at("a")));
    assert!(!holds(&at("absent"), &at("absent/inner")));
}

#[test]
fn a_wall_clock_is_as_long_as_its_bound_and_none_without() {
    let of = |wall_clock_milliseconds| {
        Limits { wall_clock_milliseconds, ..Limits::default() }.wall_clock()
    };
    assert_eq!(of(Bound::At(1_500)), Some(std::time::Duration::from_millis(1_500)));
    assert_eq!(of(Bound::Unlimited), None);
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
