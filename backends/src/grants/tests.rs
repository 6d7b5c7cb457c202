//! Grants as data: what S1 cannot keep is refused by name, and nothing else is.

use super::*;

#[test]
fn each_grant_that_s1_cannot_keep_is_refused_by_its_name_and_the_plain_ones_are_not() {
    assert!(Policy::from_grants(&Grants::default()).is_ok());
    let with = |change: fn(&mut Grants)| {
        let mut grants = Grants::default();
        change(&mut grants);
        match Policy::from_grants(&grants) {
            Err(Refusal::Unenforceable { grant, .. }) => grant,
            other => panic!("{other:?}"),
        }
    };
    let refused = [
        with(|grants| grants.clock = false),
        with(|grants| grants.randomness = false),
        with(|grants| grants.network.extend(["example.org:443".to_owned()])),
        with(|grants| grants.subprocess = true),
        with(|grants| grants.browser = true),
        with(|grants| grants.display = true),
        with(|grants| grants.accelerator = true),
        with(|grants| grants.key_value_store = true),
    ];
    assert_eq!(refused, Resource::ALL);
}

#[test]
fn a_refusal_is_found_before_any_path_is_looked_up() {
    let mut grants = Grants::default().read("/nowhere/at/all");
    assert!(matches!(grants.clone().enforceable(), Ok(())));
    assert!(matches!(Policy::from_grants(&grants), Err(Refusal::Place(_))));
    grants.subprocess = true;
    let refusal = Policy::from_grants(&grants).unwrap_err();
    assert!(refusal.is_unenforceable());
    assert_eq!(
        refusal.to_string(),
        "S1 cannot enforce the grant of subprocess: it needs a managed runtime (S2)"
    );
}

#[test]
fn the_policy_holds_exactly_what_is_granted() {
    let folder = tempfile::tempdir().unwrap();
    let base = folder.path().canonicalize().unwrap();
    std::fs::create_dir(base.join("in")).unwrap();
    std::fs::write(base.join("out"), "").unwrap();
    let grants = Grants::default().read(base.join("in")).write(base.join("out"));
    let policy = Policy::from_grants(&grants).unwrap();
    let expected = Policy::builder()
        .read(&base.join("in"))
        .unwrap()
        .write(&base.join("out"))
        .unwrap()
        .build()
        .unwrap();
    assert_eq!(policy, expected);
    assert_eq!((policy.read().len(), policy.write().len(), policy.execute().len()), (1, 2, 0));
}

#[test]
fn a_grant_that_holds_a_protected_place_is_refused_and_one_inside_it_is_not() {
    let folder = tempfile::tempdir().unwrap();
    let base = folder.path().canonicalize().unwrap();
    std::fs::create_dir_all(base.join("protected/inner")).unwrap();
    let protected = base.join("protected");
    let spare = |path: PathBuf| Grants::default().read(path).spare(&protected);
    for holder in [base.clone(), protected.clone(), PathBuf::from("/")] {
        assert!(matches!(spare(holder), Err(Refusal::Protected { .. })));
    }
    assert!(spare(protected.join("inner")).is_ok());
    assert!(spare(base.join("protected-not")).is_ok());
}

#[test]
fn what_each_grant_shows_of_itself_is_checked_without_a_look_inside() {
    let folder = tempfile::tempdir().unwrap();
    let base = folder.path().canonicalize().unwrap();
    Grants::default().read(&base).check().unwrap();
    let relative = Grants::default().read(&base).write("relative");
    assert!(matches!(
        relative.check(),
        Err(Refusal::Place(crate::policy::GrantError::Relative { .. }))
    ));
    let unkept = Grants { browser: true, ..Grants::default() };
    assert!(unkept.check().unwrap_err().is_unenforceable());
    assert!(!relative.check().unwrap_err().is_unenforceable());
}

#[test]
fn writing_is_given_in_and_beneath_what_is_granted_for_writing_and_nowhere_else() {
    let folder = tempfile::tempdir().unwrap();
    let base = folder.path().canonicalize().unwrap();
    for name in ["written/inner", "read/inner", "neither"] {
        std::fs::create_dir_all(base.join(name)).unwrap();
    }
    let grants = Grants::default().read(base.join("read")).write(base.join("written"));
    for (name, given) in [
        ("written", true),
        ("written/inner", true),
        ("written/absent", true),
        ("read", false),
        ("read/inner", false),
        ("neither", false),
        ("", false),
    ] {
        assert_eq!(grants.gives_writing(&base.join(name)), given, "{name:?}");
    }
}

#[test]
fn each_resource_has_a_name_of_its_own() {
    let names = Resource::ALL.map(|resource| resource.to_string());
    assert!(names.iter().all(|name| !name.is_empty()));
    assert_eq!(names.iter().collect::<BTreeSet<_>>().len(), names.len());
}
