//! What programs and sessions see of one another, and of their host.

use super::*;

/// SL-RESIDUE, SL-CROSSREAD. Control: without confinement a program finds the tokens of both.
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
    bare.arguments = vec!["-c".into(), format!("cat {}/token {}/token", paths[0], paths[1]).into()];
    assert_eq!(control.launch(bare).unwrap().wait().unwrap().output, b"t0kent0ken");
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
    // Without confinement the same acts on a file outside are seen.
    let beside = place.folder.path().join("beside");
    fs::write(&beside, "").unwrap();
    let here = place.folder.path().join("bare");
    fs::create_dir(&here).unwrap();
    let control = backends::none::none().prepare(&Policy::builder().build().unwrap()).unwrap();
    let mut bare = backends::command::Command::new("/bin/sh", &here);
    bare.arguments = vec!["-c".into(), "touch -d @1 ../beside; chmod 600 ../beside".into()];
    control.launch(bare).unwrap().wait().unwrap();
    let (mode, time) = facts(&beside);
    assert_eq!((mode & 0o777, time), (0o600, std::time::UNIX_EPOCH + Duration::from_secs(1)));
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

/// Where paths outside are hidden too, a session works all the same. Control: `native` hides no path.
#[test]
fn a_session_in_a_mount_namespace_sees_its_text_and_its_directory_and_not_its_root() {
    let place = Place::new();
    let text = "import os
root = os.path.dirname(os.path.dirname(os.getcwd()))
open('own.txt', 'w').write('own')
try: open(__file__, 'a'); print('text changed')
except OSError: print(len(open(__file__).read()) > 0, os.path.exists(root + '/owner.json'))";
    for (backend, said_of_root) in [
        (backends::native::native(), "True True\n"),
        (backends::native::native_hidden(), "True False\n"),
    ] {
        let session = place.session().backend(backend).build();
        let run = match session.run(&python(text)) {
            Ok(run) => run,
            // A host that lets nobody make user namespaces says so, and nothing runs.
            Err(error) => {
                assert!(
                    matches!(error, RunError::Session(SessionError::Unavailable(_))),
                    "{error:?}"
                );
                assert_eq!(said_of_root, "True False\n");
                continue;
            }
        };
        assert_eq!(said(run.stdout()), said_of_root, "{}", said(run.stderr()));
        let harvest = run.harvest("*.txt", &HarvestLimits::default()).unwrap();
        assert_eq!(harvest.files()[0].read().unwrap(), b"own");
    }
}
