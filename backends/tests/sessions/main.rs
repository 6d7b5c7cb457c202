//! Sessions on the real kernel. The technique ids are those of `docs/threat-model.md`: each test of the family
//! SL shows in a control what a naive host would have suffered.

#![expect(clippy::unwrap_used, reason = "a test fails where its setting is broken")]

mod events;
mod isolation;
mod runs;
mod sweeps;
mod unavailable;

use backends::backend::{Backend, Confinement, Profile};
use backends::events::{Event, EventFile, Observer};
use backends::executor::{Outcome, Program, Refusal, RunError};
use backends::harvest::HarvestLimits;
use backends::owner::Owner;
use backends::policy::{Bound, Limits, Policy};
use backends::protection::{Protection, Reason, Support, Unavailable};
use backends::session::{
    Base, Mode, RootError, Session, SessionBuilder, SessionError, session_limits,
};
use backends::sweep::sweep;
use serde_json::Value;
use std::fs;
use std::os::fd::AsFd;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// What an observer was told, as the JSON that a file would hold.
#[derive(Debug, Default)]
struct Told(Mutex<Vec<Value>>);

impl Observer for Told {
    fn event(&self, event: &Event) {
        self.0.lock().unwrap().push(serde_json::to_value(event).unwrap());
    }
}

impl Told {
    fn named(&self, name: &str) -> Vec<Value> {
        let told = self.0.lock().unwrap();
        told.iter().filter(|event| event["event"] == name).cloned().collect()
    }
}

struct Place {
    folder: tempfile::TempDir,
    told: Arc<Told>,
}

impl Place {
    fn new() -> Self {
        Self { folder: tempfile::tempdir().unwrap(), told: Arc::default() }
    }

    fn base(&self) -> PathBuf {
        self.folder.path().canonicalize().unwrap().join("base")
    }

    fn session(&self) -> SessionBuilder {
        Session::builder().base(self.base()).observer(self.told.clone())
    }

    fn roots(&self) -> Vec<PathBuf> {
        let entries = fs::read_dir(self.base()).into_iter().flatten();
        entries.map(|entry| entry.unwrap().path()).collect()
    }

    /// A root whose record is this process's own but for a change, and whose lock is free.
    fn plant(&self, name: &str, change: impl FnOnce(&mut Owner)) -> PathBuf {
        let root = self.root(name);
        let mut owner = Owner::current("native").unwrap();
        change(&mut owner);
        owner.write(fs::File::open(&root).unwrap().as_fd(), "owner.json").unwrap();
        root
    }

    fn root(&self, name: &str) -> PathBuf {
        Base::open(&self.base(), &[]).unwrap();
        let root = self.base().join(format!("session-{name}"));
        fs::create_dir(&root).unwrap();
        root
    }
}

fn python(text: &str) -> Program {
    Program::python(text)
}

fn said(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn a_program_reads_its_text_writes_its_directory_and_leaves_a_record_that_names_its_confinement() {
    let place = Place::new();
    let session = place.session().build();
    assert!(place.roots().is_empty(), "a session is made on first use");
    let text = "import os, sys, tempfile, json
print(sorted(os.listdir('.')), os.listdir('tmp'), os.environ['TMPDIR'] == os.getcwd() + '/tmp')
print(tempfile.NamedTemporaryFile().name.startswith(os.environ['TMPDIR']), sys.argv[1:], input())
print(sys.flags.isolated, sys.flags.no_site, sys.flags.dont_write_bytecode, sys.flags.utf8_mode)
open('own', 'w').write('own')
try: open(__file__, 'a')
except PermissionError: print('text is read-only')
print(len(open(__file__).read()) > 100)";
    let run = session.run(&python(text).argument("one").argument("two").input("given\n")).unwrap();
    assert_eq!(
        said(run.stdout()),
        "['tmp'] [] True\nTrue ['one', 'two'] given\n1 1 1 1\ntext is read-only\nTrue\n",
        "{}",
        said(run.stderr())
    );
    assert_eq!(*run.outcome(), Outcome::Exited(0));
    assert_eq!(place.roots().len(), 1);
    drop(run);
    drop(session);
    assert!(place.roots().is_empty());
    let (made, ran) = (place.told.named("SANDBOX_SESSION"), place.told.named("SANDBOX_RUN"));
    assert_eq!((made.len(), ran.len()), (1, 1));
    for event in [&made[0], &ran[0]] {
        assert_eq!(event["backend"], "native");
        assert!(event["mechanism"].as_str().unwrap().contains("landlock/"));
        assert!(event["commitment"].as_str().unwrap().starts_with("sha256:"));
    }
    assert_eq!((&ran[0]["outcome"], &ran[0]["status"]), (&"exited".into(), &0.into()));
    assert_eq!(place.told.named("SANDBOX_RELEASED").len(), 1);
}

#[test]
fn two_sessions_of_one_policy_share_a_commitment() {
    let place = Place::new();
    for _ in 0..2 {
        place.session().build().run(&python("")).unwrap();
    }
    place.session().limits(Limits::default()).build().run(&python("")).unwrap();
    let made = place.told.named("SANDBOX_SESSION");
    assert_eq!(made[0]["commitment"], made[1]["commitment"]);
    assert_ne!(made[0]["commitment"], made[2]["commitment"]);
}

#[test]
fn a_root_inside_a_tree_of_the_referee_is_an_error() {
    let place = Place::new();
    let tree = place.folder.path().canonicalize().unwrap().join("tree");
    fs::create_dir_all(tree.join("below")).unwrap();
    symlink(&tree, place.folder.path().join("link")).unwrap();
    symlink(tree.join("below"), place.folder.path().join("inward")).unwrap();
    for (kept, base) in [
        (tree.clone(), tree.join("below/base")),
        (tree.join("below"), tree.join("below/base")),
        (place.folder.path().join("link"), tree.join("below/base")),
        (tree.clone(), place.folder.path().join("inward/base")),
        (tree.join("below/base"), tree.join("below/base")),
        (tree.join("below/../below"), tree.join("below/base")),
    ] {
        let session = Session::builder().base(&base).keep_out_of([&kept]).build();
        let refused = session.run(&python(""));
        assert!(
            matches!(refused, Err(RunError::Session(SessionError::Root(RootError::Inside { .. })))),
            "{kept:?} {base:?} {refused:?}"
        );
        assert!(!base.exists());
    }
    let beside = Session::builder().base(tree.join("base")).keep_out_of([tree.join("below")]);
    assert!(beside.build().run(&python("")).unwrap().outcome().is_success());
}

#[test]
fn a_base_directory_that_others_own_or_see_or_that_is_a_link_is_refused() {
    let place = Place::new();
    let folder = place.folder.path().canonicalize().unwrap();
    let run = |base: &Path| Session::builder().base(base).build().run(&python("")).map(drop);
    fs::create_dir(folder.join("open")).unwrap();
    // Each single right of somebody else is one too many.
    for mode in [0o710, 0o720, 0o740, 0o701, 0o702, 0o704] {
        fs::set_permissions(folder.join("open"), fs::Permissions::from_mode(mode)).unwrap();
        assert!(
            matches!(
                run(&folder.join("open")),
                Err(RunError::Session(SessionError::Root(RootError::NotPrivate { .. })))
            ),
            "{mode:o}"
        );
    }
    fs::set_permissions(folder.join("open"), fs::Permissions::from_mode(0o700)).unwrap();
    run(&folder.join("open")).unwrap();
    symlink(folder.join("open"), folder.join("link")).unwrap();
    assert!(matches!(
        run(&folder.join("link")),
        Err(RunError::Session(SessionError::Root(RootError::Call { .. })))
    ));
    // Only the privileged can give a directory away; for others a system directory does.
    let foreign = folder.join("foreign");
    fs::create_dir(&foreign).unwrap();
    fs::set_permissions(&foreign, fs::Permissions::from_mode(0o700)).unwrap();
    let foreign = match std::os::unix::fs::chown(&foreign, Some(1), None) {
        Ok(()) => foreign,
        Err(_) => PathBuf::from("/usr"),
    };
    assert!(matches!(
        run(&foreign),
        Err(RunError::Session(SessionError::Root(RootError::NotOurs { .. })))
    ));
}

#[test]
fn a_session_is_released_when_its_host_panics_or_errs_and_all_at_once() {
    let place = Place::new();
    let panicked = std::thread::scope(|scope| {
        let host = scope.spawn(|| {
            let session = place.session().build();
            let _run = session.run(&python("open('own', 'w')")).unwrap();
            assert_eq!(place.roots().len(), 1);
            panic!("the host fails");
        });
        host.join().is_err()
    });
    assert!(panicked);
    assert!(place.roots().is_empty());
    let close = place.session().build();
    close.run(&python("")).unwrap();
    assert_eq!(close.close(), [""; 0]);
    assert!(place.roots().is_empty());
}
