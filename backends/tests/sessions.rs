//! Sessions on the real kernel. The technique ids are those of `docs/threat-model.md`: each test of the family
//! SL shows in a control what a naive host would have suffered.

#![expect(clippy::unwrap_used, reason = "a test fails where its setting is broken")]

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

/// SL-RESIDUE, SL-CROSSREAD. Control: without confinement the same program finds the sibling's token.
#[test]
fn nothing_of_an_earlier_run_or_another_session_is_seen() {
    let place = Place::new();
    let leave =
        "import os\nopen('token', 'w').write('t0ken'); open('tmp/token', 'w').write('t0ken')
print(os.getcwd())";
    let look = |paths: &[String]| {
        format!(
            "import os
print('reached', os.listdir('.'), os.listdir('tmp'), len(os.environ))
for path in {paths:?}:
    for act in (lambda: print(open(path + '/token').read()), lambda: print(os.listdir(path)),
                lambda: print(os.listdir(path + '/../..'))):
        try: act()
        except OSError as error: pass
try: os.chdir('../../..'); print(os.listdir('.'))
except OSError: pass"
        )
    };
    let sibling = place.session().build();
    let kept = sibling.run(&python(leave)).unwrap();
    let session = place.session().build();
    let earlier = session.run(&python(leave)).unwrap();
    let paths: Vec<String> =
        [&kept, &earlier].iter().map(|run| said(run.stdout()).trim().to_owned()).collect();
    // The earlier run's directory is even still there.
    let run = session.run(&python(&look(&paths))).unwrap();
    assert!(said(run.stdout()).starts_with("reached ['tmp'] [] "), "{}", said(run.stderr()));
    assert!(!said(run.stdout()).contains("t0ken"), "{}", said(run.stdout()));
    assert_eq!(said(run.stdout()).lines().count(), 1, "{}", said(run.stdout()));
    let control = backends::none::none().prepare(&Policy::builder().build().unwrap()).unwrap();
    let here = place.folder.path().join("bare");
    fs::create_dir_all(here.join("tmp")).unwrap();
    let mut bare = backends::command::Command::new("/bin/sh", &here);
    bare.arguments = vec!["-c".into(), format!("cat {}/token", paths[0]).into()];
    assert_eq!(control.launch(bare).unwrap().wait().unwrap().output, b"t0ken");
}

#[test]
fn every_way_to_end_has_its_outcome() {
    let place = Place::new();
    let limits = Limits {
        wall_clock_milliseconds: Bound::At(1_500),
        output_bytes: Bound::At(10_000),
        ..session_limits()
    };
    let session = place.session().limits(limits.clone()).build();
    let outcome = |text: &str| session.run(&python(text)).unwrap().outcome().clone();
    assert_eq!(outcome("raise SystemExit(7)"), Outcome::Exited(7));
    assert_eq!(outcome("1/0"), Outcome::Exited(1));
    assert_eq!(outcome("import os, signal; os.abort()"), Outcome::Signalled(libc::SIGABRT));
    assert_eq!(outcome("import time; time.sleep(60)"), Outcome::TimedOut);
    assert_eq!(outcome("while True: print('x' * 1000)"), Outcome::OutputCapped);
    // Without a bound on memory and without the hook these are ordinary codes.
    assert_eq!(outcome("raise SystemExit(219)"), Outcome::Exited(219));
    assert_eq!(outcome("raise SystemExit(218)"), Outcome::Exited(218));
    let run = session.run(&python("print('x' * 20_000)")).unwrap();
    assert_eq!((run.outcome(), run.stdout().len()), (&Outcome::OutputCapped, 10_000));
    let nul = session.run(&python("").argument("a\0b")).unwrap();
    assert_eq!(*nul.outcome(), Outcome::Refused(Refusal::Nul));
    let large = session.run(&python("").argument("a".repeat(1 << 22))).unwrap();
    assert_eq!(*large.outcome(), Outcome::Refused(Refusal::Arguments));
    let text = session.run(&python(&"#".repeat((1 << 24) + 1))).unwrap();
    assert!(matches!(text.outcome(), Outcome::Refused(Refusal::Text { .. })));

    let little = Limits { address_space_bytes: Bound::At(1 << 28), ..limits };
    let session = place.session().limits(little.clone()).build();
    let outcome = |text: &str| session.run(&python(text)).unwrap().outcome().clone();
    assert_eq!(outcome("x = bytearray(1 << 30)"), Outcome::MemoryLimit);
    assert_eq!(outcome("x = []\nwhile True: x.append(bytearray(1 << 20))"), Outcome::MemoryLimit);
    assert_eq!(outcome("x = bytearray(1 << 20)"), Outcome::Exited(0));
    assert_eq!(outcome("raise SystemExit(3)"), Outcome::Exited(3));
    let run = session.run(&python("def f(): 1/0\nf()")).unwrap();
    let trace = said(run.stderr());
    assert!(trace.starts_with("Traceback") && trace.matches("File ").count() == 2, "{trace}");
    assert!(!trace.contains("<string>"), "{trace}");

    let session = place.session().limits(little).hook(true).build();
    let outcome = |text: &str| session.run(&python(text)).unwrap().outcome().clone();
    assert_eq!(outcome("open('/etc/passwd')"), Outcome::DeniedByHook);
    assert_eq!(outcome("x = bytearray(1 << 30)"), Outcome::MemoryLimit);
    assert_eq!(outcome("open('own', 'w').write('own')"), Outcome::Exited(0));
    assert_eq!(outcome("x = ("), Outcome::Exited(1));
    let words: Vec<Value> =
        place.told.named("SANDBOX_RUN").iter().map(|event| event["outcome"].clone()).collect();
    for word in [
        "exited",
        "signalled",
        "timed-out",
        "output-capped",
        "memory-limit",
        "refused",
        "denied-by-hook",
    ] {
        assert!(words.contains(&word.into()), "{word}");
    }
}

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
    assert!("container".parse::<Mode>().is_err());
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
struct Lacking {
    at_launch: bool,
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
    fs::set_permissions(folder.join("open"), fs::Permissions::from_mode(0o711)).unwrap();
    assert!(matches!(
        run(&folder.join("open")),
        Err(RunError::Session(SessionError::Root(RootError::NotPrivate { .. })))
    ));
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

/// SL-SWEEPLIVE, SL-PIDREUSE, SL-MTIMESWEEP. Control: an age rule, and a rule by pid alone, would each have
/// taken the live root or kept a dead one.
#[test]
fn a_dead_root_is_swept_and_a_live_one_never_whatever_age_pid_and_clock_say() {
    let place = Place::new();
    let session = place.session().build();
    let run = session.run(&python("")).unwrap();
    let live = place.roots().pop().unwrap();
    let gone = place.plant("gone", |owner| owner.pid = 0);
    let reused = place.plant("reused", |owner| owner.start_time += 1);
    let boot = place.plant("boot", |owner| owner.boot.push('x'));
    let unlocked = place.plant("unlocked", |_owner| ());
    let recordless = place.root("recordless");
    let torn = place.root("torn");
    fs::write(torn.join("owner.json"), b"{\"pid\":").unwrap();
    let locked = place.plant("locked", |owner| owner.pid = 0);
    let lock = fs::File::open(&locked).unwrap();
    lock.lock().unwrap();
    // Ten years old and ten years ahead: neither may matter.
    let long = Duration::from_secs(10 * 365 * 24 * 3600);
    let now = std::time::SystemTime::now();
    for (root, time) in [(&live, now - long), (&recordless, now - long), (&reused, now + long)] {
        fs::File::open(root).unwrap().set_modified(time).unwrap();
    }
    assert!(fs::metadata(&live).unwrap().modified().unwrap().elapsed().unwrap() > long / 2);
    assert_eq!(
        Owner::read(fs::File::open(&unlocked).unwrap().as_fd(), "owner.json").unwrap().pid,
        std::process::id()
    );

    place.session().build().run(&python("")).unwrap();
    for (root, stays) in [
        (&live, true),
        (&unlocked, true),
        (&recordless, true),
        (&torn, true),
        (&locked, true),
        (&gone, false),
        (&reused, false),
        (&boot, false),
    ] {
        assert_eq!(root.exists(), stays, "{root:?}");
    }
    assert_eq!(place.told.named("SANDBOX_SWEEP").len(), 3);
    // Still whole: it runs programs.
    drop(run);
    assert!(session.run(&python("open('own', 'w')")).unwrap().outcome().is_success());
    drop(lock);
    place.session().build().run(&python("")).unwrap();
    assert!(!locked.exists());
}

/// SL-SWEEPSYMLINK. Control: following what is named like a session would have emptied the precious folder.
#[test]
fn what_is_only_named_like_a_session_leads_a_sweep_nowhere() {
    let place = Place::new();
    let precious = place.folder.path().join("precious");
    fs::create_dir(&precious).unwrap();
    fs::write(precious.join("file"), "precious").unwrap();
    let dead = place.plant("dead", |owner| owner.pid = 0);
    fs::copy(dead.join("owner.json"), precious.join("owner.json")).unwrap();
    let base = place.base();
    symlink(&precious, base.join("session-link")).unwrap();
    symlink(&precious, dead.join("inner")).unwrap();
    fs::hard_link(precious.join("file"), dead.join("hard")).unwrap();
    fs::write(base.join("session-file"), "").unwrap();
    rustix::fs::mkfifoat(rustix::fs::CWD, base.join("session-fifo"), 0o600.into()).unwrap();
    fs::create_dir(base.join("other")).unwrap();
    // A record that leads elsewhere is none.
    let lying = place.root("lying");
    symlink(precious.join("owner.json"), lying.join("owner.json")).unwrap();
    let swept = sweep(&Base::open(&base, &[]).unwrap()).unwrap();
    assert_eq!(swept.len(), 1, "{swept:?}");
    assert!(!dead.exists());
    assert_eq!(fs::read(precious.join("file")).unwrap(), b"precious");
    for name in ["session-link", "session-file", "session-fifo", "other", "session-lying"] {
        assert!(base.join(name).symlink_metadata().is_ok(), "{name}");
    }
}

#[test]
fn a_sweep_that_was_broken_off_is_finished_by_the_next() {
    let place = Place::new();
    let dead = place.plant("half", |owner| owner.pid = 0);
    // What a killed sweep leaves: everything gone but the record, which goes last.
    assert_eq!(fs::read_dir(&dead).unwrap().count(), 1);
    place.session().build().run(&python("")).unwrap();
    assert!(!dead.exists());
}

/// SL-LOCKSTEAL. Control: the acts work on a file of the program's own.
#[test]
fn a_program_reaches_neither_the_lock_nor_the_record_of_its_session() {
    let place = Place::new();
    let session = place.session().build();
    let text = "import os, fcntl
root = os.path.dirname(os.path.dirname(os.getcwd()))
def act(path):
    done = []
    for name, act in dict(read=lambda: open(path).read(), write=lambda: open(path, 'a'), lock=lambda: fcntl.flock(os.open(path, os.O_RDONLY), fcntl.LOCK_SH | fcntl.LOCK_NB),
                          rename=lambda: os.rename(path, path + 'x'), remove=lambda: os.remove(path + 'x')).items():
        try: act(); done.append(name)
        except OSError: pass
    return done
open('own', 'w')
print(act('own'))
print(act(root + '/owner.json'))
try: print(os.open(root, os.O_RDONLY))
except PermissionError: print('root is closed')";
    let run = session.run(&python(text)).unwrap();
    assert_eq!(
        said(run.stdout()),
        "['read', 'write', 'lock', 'rename', 'remove']\n[]\nroot is closed\n",
        "{}",
        said(run.stderr())
    );
    // And a second session starts beside it, not in it.
    let second = place.session().build();
    second.run(&python("")).unwrap();
    assert_eq!(place.roots().len(), 2);
}

/// SL-COVERT is residue: two programs that share a granted file can signal through its lock. What this test
/// holds is that the run directories are no such place, and that times of granted files cannot be set.
#[test]
fn two_sessions_share_no_file_that_either_can_change() {
    let place = Place::new();
    let (one, two) = (place.session().build(), place.session().build());
    let policy = one.policy().unwrap();
    assert_eq!(policy, two.policy().unwrap());
    let written: Vec<String> =
        policy.write().iter().map(|grant| grant.place().to_string()).collect();
    assert_eq!(written, ["{run}", "\"/dev/null\""]);
    // The filter answers these calls with success and does nothing, so only a look from outside counts.
    let text = "import os
open('own', 'w'); os.truncate('own', 0); print(os.__file__)
os.utime(os.__file__, (1, 1)); os.chmod(os.__file__, 0o600)";
    let run = one.run(&python(text)).unwrap();
    let shared = PathBuf::from(said(run.stdout()).trim());
    let facts = |path: &Path| {
        let metadata = fs::metadata(path).unwrap();
        (metadata.permissions().mode(), metadata.modified().unwrap())
    };
    let before = facts(&shared);
    assert!(two.run(&python(text)).unwrap().outcome().is_success());
    assert_eq!(facts(&shared), before);
    assert_ne!(before.1, std::time::UNIX_EPOCH + Duration::from_secs(1));
}

/// SL-OPENFDLATE. Control: without confinement a straggler outlives its program and writes later.
#[test]
fn a_straggler_does_not_outlive_its_run() {
    let place = Place::new();
    let text = "import os, time
open('result', 'w').write('honest')
if os.fork() == 0:
    os.setsid(); time.sleep(1.5); open('result', 'w').write('forged'); os._exit(0)
print('left')";
    let native = place.session().build();
    let run = native.run(&python(text)).unwrap();
    assert!(said(run.stderr()).contains("PermissionError"), "{}", said(run.stderr()));
    let bare = place.folder.path().join("bare");
    fs::create_dir(&bare).unwrap();
    fs::write(bare.join("program.py"), text).unwrap();
    let control = backends::none::none().prepare(&Policy::builder().build().unwrap()).unwrap();
    let python3 = backends::linux::discover::python(
        Path::new("python3"),
        "/usr/local/bin:/usr/bin:/bin".as_ref(),
    );
    let mut command = backends::command::Command::new(python3.unwrap().executable, &bare);
    command.arguments = vec!["-I".into(), "program.py".into()];
    control.launch(command).unwrap().wait().unwrap();
    assert_eq!(fs::read(bare.join("result")).unwrap(), b"honest");
    let deadline = Instant::now() + Duration::from_secs(20);
    while fs::read(bare.join("result")).unwrap() != b"forged" {
        assert!(Instant::now() < deadline, "the control's straggler was never seen");
        std::thread::sleep(Duration::from_millis(20));
    }
    // Where nothing confines, the executor ends what it can find before anybody harvests. The hook refuses
    // an ordinary fork, so this one is machine code's: the harness has that; here the own file is harvested.
    let session = place.session().mode(Mode::AuditOnly).build();
    let run = session.run(&python("open('result', 'w').write('honest')")).unwrap();
    let harvest = run.harvest("result", &HarvestLimits::default()).unwrap();
    assert_eq!(harvest.files()[0].read().unwrap(), b"honest");
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

#[test]
fn programs_of_several_threads_run_in_one_session_and_never_mix() {
    let place = Place::new();
    let session = place.session().build();
    std::thread::scope(|scope| {
        for thread in 0..6 {
            let session = &session;
            scope.spawn(move || {
                for turn in 0..5 {
                    let text = "import sys\nopen('same', 'a').write(sys.argv[1])\nprint(open('same').read()); sys.exit(int(sys.argv[2]))";
                    let own = format!("{thread}-{turn}");
                    let run = session
                        .run(&python(text).argument(&own).argument((turn % 5).to_string()))
                        .unwrap();
                    assert_eq!(said(run.stdout()), format!("{own}\n"));
                    assert_eq!(*run.outcome(), Outcome::Exited(turn % 5));
                    let harvest = run.harvest("same", &HarvestLimits::default()).unwrap();
                    assert_eq!(harvest.files()[0].read().unwrap(), own.as_bytes());
                }
            });
        }
    });
    assert_eq!(place.roots().len(), 1);
    let left: Vec<_> =
        fs::read_dir(&place.roots()[0]).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left, ["owner.json"]);
}

#[test]
fn an_event_file_holds_one_line_of_json_for_each_event_whatever_a_program_left() {
    let place = Place::new();
    let path = place.folder.path().join("events.jsonl");
    let events = Arc::new(EventFile::append(&path).unwrap());
    let session = Session::builder().base(place.base()).observer(events.clone()).build();
    let text = "import os
for name in (b'a\\nb', b'\\x1b[2J', b'\\xff', '\\u202e'.encode(), b'-rf', b']]>', b'{\"event\":\"SANDBOX_RUN\"}'):
    open(os.getcwdb() + b'/' + name, 'w')
print('{\"event\":\"SANDBOX_RUN\",\"outcome\":\"exited\"}')";
    let run = session.run(&python(text)).unwrap();
    assert!(run.outcome().is_success(), "{}", said(run.stderr()));
    run.harvest("*", &HarvestLimits::default()).unwrap();
    drop(run);
    drop(session);
    assert!(events.failure().is_none());
    let text = fs::read_to_string(&path).unwrap();
    assert!(text.bytes().all(|byte| byte == b'\n' || (0x20..0x7f).contains(&byte)));
    let names: Vec<String> = text
        .lines()
        .map(|line| {
            serde_json::from_str::<Value>(line).unwrap()["event"].as_str().unwrap().to_owned()
        })
        .collect();
    assert_eq!(names, ["SANDBOX_SESSION", "SANDBOX_RUN", "SANDBOX_HARVEST", "SANDBOX_RELEASED"]);
}

/// C86, C87, C88, C90.
#[test]
fn a_program_that_stops_itself_ignores_signals_or_sleeps_ends_at_its_limit_and_keeps_its_output() {
    let place = Place::new();
    let limits = Limits { wall_clock_milliseconds: Bound::At(1_000), ..session_limits() };
    let session = place.session().limits(limits).build();
    let first = "import os, signal, threading, time\nprint('said', flush=True)\n";
    for (text, outcome) in [
        ("os.kill(os.getpid(), signal.SIGSTOP); time.sleep(60)", Outcome::TimedOut),
        (
            "for s in (1, 2, 3, 13, 14, 15): signal.signal(s, signal.SIG_IGN)
def spin():
    while True: pass
for _ in range(20): threading.Thread(target=spin).start()",
            Outcome::TimedOut,
        ),
        ("time.sleep(60)", Outcome::TimedOut),
        ("print(time.process_time() < 60)", Outcome::Exited(0)),
    ] {
        let run = session.run(&python(&format!("{first}{text}"))).unwrap();
        assert_eq!(*run.outcome(), outcome, "{text}");
        assert!(run.stdout().starts_with(b"said\n"), "{text}");
    }
    // Time on the processor is a limit of its own.
    let limits = Limits { cpu_seconds: Bound::At(1), ..session_limits() };
    let session = place.session().limits(limits).build();
    let run = session.run(&python("while True: pass")).unwrap();
    assert_eq!(*run.outcome(), Outcome::TimedOut);
    assert!(run.usage().cpu < Duration::from_secs(30));
}

/// C97, C98, C100.
#[test]
fn output_and_input_of_any_size_go_through_to_the_last_byte() {
    let place = Place::new();
    let limits = Limits { output_bytes: Bound::Unlimited, ..session_limits() };
    let session = place.session().limits(limits).build();
    for size in [1, 4096, 65_535, 65_536, 65_537, 1 << 20] {
        let text = "import os, sys
n = int(sys.argv[1])
for stream in (2, 1):
    left = memoryview(b'x' * (n - 1) + b'e')
    while left: left = left[os.write(stream, left):]
os._exit(3)";
        let run = session.run(&python(text).argument(size.to_string())).unwrap();
        assert_eq!(*run.outcome(), Outcome::Exited(3));
        for stream in [run.stdout(), run.stderr()] {
            assert_eq!((stream.len(), stream.last()), (size, Some(&b'e')));
        }
    }
    let large: Vec<u8> = (0..20_000_000).map(|index: u32| (index % 251) as u8).collect();
    let cat = python("import sys, shutil\nshutil.copyfileobj(sys.stdin.buffer, sys.stdout.buffer)");
    let run = session.run(&cat.input(large.clone())).unwrap();
    assert!(run.stdout() == large, "{} bytes came back", run.stdout().len());
    let unread = session.run(&python("print('did not read')").input(large)).unwrap();
    assert_eq!((unread.outcome(), unread.stdout()), (&Outcome::Exited(0), &b"did not read\n"[..]));
}

/// C94, C96.
#[test]
fn a_program_begins_with_nothing_blocked_or_ignored_and_its_code_is_its_own() {
    let place = Place::new();
    let session = place.session().build();
    let text = "import signal
print(signal.pthread_sigmask(signal.SIG_BLOCK, ()))
print([s for s in range(1, 65) if s not in (32, 33) and signal.getsignal(s) == signal.SIG_IGN])";
    let run = session.run(&python(text)).unwrap();
    // Python itself ignores SIGPIPE and SIGXFSZ.
    assert_eq!(said(run.stdout()), "set()\n[13, 25]\n");
    for code in [0, 1, 2, 124, 125, 126, 127, 128, 137, 255] {
        let run = session.run(&python(&format!("raise SystemExit({code})"))).unwrap();
        assert_eq!(*run.outcome(), Outcome::Exited(code));
    }
}

/// C73, C74: the tree of a whole arsenal, laid by one program.
#[test]
fn a_run_directory_made_to_stay_is_removed_whole_and_what_it_leads_to_is_unchanged() {
    let place = Place::new();
    let outside = place.folder.path().join("outside");
    fs::create_dir(&outside).unwrap();
    fs::write(outside.join("keep"), "keep").unwrap();
    fs::set_permissions(outside.join("keep"), fs::Permissions::from_mode(0o640)).unwrap();
    let session = place.session().build();
    let text = "import os, sys
def deep(count, name):
    top = os.open('.', os.O_RDONLY)
    for _ in range(count): os.mkdir(name); os.chdir(name)
    open('end', 'w').close(); os.fchdir(top)
deep(60, 'L' * 200); deep(1500, 'd')
for name in (b'-rf', b'a\\nb', b'\\x1b[2Jx', b'\\xff\\xfe', b'n' * 255, b' ', b'--'): open(os.getcwdb() + b'/' + name, 'w').close()
os.mkdir('many'); [open('many/%d' % i, 'w').close() for i in range(3000)]
os.symlink('.', 'loop'); os.symlink(sys.argv[1], 'outside'); os.symlink(sys.argv[1] + '/keep', 'run.log')
os.umask(0o777); os.mkdir('born closed')
print('reached', os.getcwd())";
    let run = session.run(&python(text).argument(outside.as_os_str())).unwrap();
    let output = said(run.stdout());
    let directory = PathBuf::from(output.trim().strip_prefix("reached ").unwrap());
    assert_eq!(fs::read(directory.join("outside/keep")).unwrap(), b"keep");
    drop(run);
    assert!(!directory.exists());
    assert!(place.told.named("SANDBOX_FINDING").is_empty());
    let keep = fs::metadata(outside.join("keep")).unwrap();
    assert_eq!(keep.permissions().mode() & 0o777, 0o640);
}

/// Every technique of both families stands in the table of the threat model, and every test that it names
/// exists.
#[test]
fn the_table_of_techniques_is_complete_and_names_tests_that_exist() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let text = fs::read_to_string(root.join("docs/threat-model.md")).unwrap();
    let rows: Vec<&str> = text
        .lines()
        .filter(|line| line.starts_with("| `HT-") || line.starts_with("| `SL-"))
        .collect();
    let techniques = "SYMLINKREAD SYMLINKWRITE SYMLINKDIR FIFO SOCKET DEVNODE SUID FILECAPS MODE000 ACL DEEPTREE
        MANYFILES SPARSE NAMES SYMLOOP JSONBOMB PICKLE GITCONFIG IMPORTSHADOW AGENTCONFIG ARCHIVE ANSILOG
        BADUTF8OUT XATTRHIDE HARDLINKOUT";
    let lifecycle =
        "RESIDUE CROSSREAD COVERT OPENFDLATE SWEEPLIVE PIDREUSE MTIMESWEEP SWEEPSYMLINK LOCKSTEAL
        SUPERVISORDEATH";
    let ids = techniques.split_whitespace().map(|name| format!("`HT-{name}`"));
    for id in ids.chain(lifecycle.split_whitespace().map(|name| format!("`SL-{name}`"))) {
        assert_eq!(rows.iter().filter(|row| row.contains(&id)).count(), 1, "{id}");
    }
    for row in rows {
        let named = row.rsplit('`').nth(1).unwrap().replacen("T/", "backends/tests/", 1);
        let (file, test) = named.split_once('#').unwrap();
        let source = fs::read_to_string(root.join(file)).unwrap();
        let exists =
            source.contains(&format!("fn {test}(")) || source.contains(&format!("\"{test}\""));
        assert!(exists, "{named}");
    }
}

/// The schema in the documentation has every event and every field that a session tells.
#[test]
fn every_event_and_field_is_documented() {
    let place = Place::new();
    place.plant("dead", |owner| owner.pid = 0);
    let session = place.session().build();
    let run = session.run(&python("open('x', 'w')")).unwrap();
    run.harvest("x", &HarvestLimits::default()).unwrap();
    drop(run);
    drop(session);
    place.session().backend(Lacking { at_launch: false }).build().run(&python("")).unwrap_err();
    place.session().mode(Mode::AuditOnly).build().run(&python("")).unwrap();
    let finding = backends::events::What::Finding { run: Some(1), finding: "stayed".to_owned() };
    place.told.event(&Event::now(None, finding));
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let text = fs::read_to_string(root.join("docs/events.md")).unwrap();
    let told = place.told.0.lock().unwrap();
    let mut names = std::collections::BTreeSet::new();
    for event in told.iter() {
        let name = event["event"].as_str().unwrap();
        names.insert(name.to_owned());
        let section =
            text.split(&format!("## `{name}`")).nth(1).unwrap().split("\n## ").next().unwrap();
        let common = text.split("\n## ").next().unwrap();
        for field in event.as_object().unwrap().keys() {
            let field = format!("`{field}`");
            assert!(section.contains(&field) || common.contains(&field), "{name} {field}");
        }
    }
    assert_eq!(names.len(), text.matches("\n## `SANDBOX_").count());
}
