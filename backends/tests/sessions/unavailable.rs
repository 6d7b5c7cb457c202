//! What is not confined: asked for by name, or nothing runs.

use super::*;

#[test]
fn audit_only_is_asked_for_by_name_and_says_of_each_run_that_nothing_confined_it() {
    let place = Place::new();
    let session = place.session().mode("audit-only".parse().unwrap()).build();
    let run = session.run(&python("import ctypes\nprint('ran')")).unwrap();
    assert_eq!(*run.outcome(), Outcome::DeniedByHook);
    assert_eq!(*session.run(&python("print('ran')")).unwrap().outcome(), Outcome::Exited(0));
    let made = place.told.named("SANDBOX_SESSION");
    assert!(made[0]["warning"].as_str().unwrap().contains("NOT a sandbox"));
    for event in place.told.named("SANDBOX_RUN").iter().chain(&made) {
        assert_eq!((&event["commitment"], &event["mechanism"]), (&Value::Null, &Value::Null));
    }
    assert_eq!("auto".parse(), Ok(Mode::Auto));
    assert_eq!("container".parse(), Ok(Mode::Container));
    assert!("bare".parse::<Mode>().is_err());
    // No backend without a commitment comes in by another door.
    for backend in [backends::none::none(), backends::audit_only::audit_only()] {
        let session = place.session().backend(backend).build();
        let refused = session.run(&python("print('ran')"));
        assert!(
            matches!(refused, Err(RunError::Session(SessionError::NotConfined { .. }))),
            "{refused:?}"
        );
    }
    let weak = backends::native::native().without(backends::layered::Weakening::Landlock);
    assert!(place.session().backend(weak).build().run(&python("")).is_err());
}

/// A backend that a host lacks, or that loses a protection between preparation and launch.
#[derive(Debug)]
pub(super) struct Lacking {
    pub(super) at_launch: bool,
}

fn lost() -> Unavailable {
    Unavailable {
        protection: Protection::FileRead,
        call: "landlock_create_ruleset",
        reason: Reason::Behaviour("switched off".to_owned()),
        remedy: "switch it on",
    }
}

impl Backend for Lacking {
    fn name(&self) -> &str {
        "lacking"
    }

    fn profile(&self) -> Profile {
        Profile::default()
    }

    fn support(&self) -> Support {
        Support { protections: Vec::new() }
    }

    fn prepare(&self, policy: &Policy) -> Result<Box<dyn Confinement>, Unavailable> {
        if !self.at_launch {
            return Err(lost());
        }
        Ok(Box::new(Losing(backends::native::native().prepare(policy)?)))
    }
}

#[derive(Debug)]
struct Losing(Box<dyn Confinement>);

impl Confinement for Losing {
    fn launch(
        &self,
        _command: backends::command::Command,
    ) -> Result<backends::child::Child, backends::launch::LaunchError> {
        Err(lost().into())
    }

    fn commitment(&self) -> Option<backends::policy::Commitment> {
        self.0.commitment()
    }

    fn artefact(&self) -> Vec<u8> {
        self.0.artefact()
    }
}

#[test]
fn a_confinement_that_cannot_apply_runs_nothing_and_says_that_no_repair_helps() {
    for at_launch in [false, true] {
        let place = Place::new();
        let witness = place.folder.path().join("witness");
        let text = format!("open({witness:?}, 'w')");
        let session = place.session().backend(Lacking { at_launch }).build();
        let refused = session.run(&python(&text));
        assert!(
            matches!(
                &refused,
                Err(RunError::Unavailable(lost) | RunError::Session(SessionError::Unavailable(lost)))
                    if lost.call == "landlock_create_ruleset"
            ),
            "{refused:?}"
        );
        let told = place.told.named("SANDBOX_UNAVAILABLE");
        assert_eq!(told.len(), 1);
        assert_eq!(told[0]["repairable"], false);
        for field in ["protection", "call", "reason", "remedy"] {
            assert!(told[0][field].is_string(), "{field}");
        }
        assert!(place.told.named("SANDBOX_RUN").is_empty());
        drop(refused);
        drop(session);
        assert!(place.roots().is_empty());
        assert!(!witness.exists());
        // The program would have done it.
        let run = place.session().build();
        assert!(run.run(&python("open('witness', 'w')")).unwrap().outcome().is_success());
    }
}
