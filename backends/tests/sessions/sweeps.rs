//! Sweeps: what is dead goes, what lives stays, and nothing else is touched.

use super::*;

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

/// A naive sweep of what is named like a session and whose record names a process that has ended.
fn naive_sweep(base: &Path) {
    for entry in fs::read_dir(base).unwrap().flatten() {
        let owner = fs::read(entry.path().join("owner.json")).unwrap_or_default();
        let owner: Value = serde_json::from_slice(&owner).unwrap_or_default();
        if owner["pid"] == 0 {
            fs::remove_dir_all(entry.path().canonicalize().unwrap()).unwrap();
        }
    }
}

/// SL-SWEEPSYMLINK. Control: a naive sweep removes what the same link leads to.
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
    let elsewhere = place.folder.path().join("elsewhere");
    fs::create_dir(&elsewhere).unwrap();
    fs::create_dir(place.folder.path().join("decoy")).unwrap();
    fs::copy(precious.join("owner.json"), place.folder.path().join("decoy/owner.json")).unwrap();
    symlink("../decoy", elsewhere.join("session-link")).unwrap();
    naive_sweep(&elsewhere);
    assert!(!place.folder.path().join("decoy").exists());
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

/// C73, C74: the tree of a whole arsenal, laid by one program.
#[test]
fn a_run_directory_made_to_stay_is_removed_whole_and_what_it_leads_to_is_unchanged() {
    let place = Place::new();
    let outside = place.folder.path().join("outside");
    fs::create_dir(&outside).unwrap();
    fs::write(outside.join("keep"), "keep").unwrap();
    fs::set_permissions(outside.join("keep"), fs::Permissions::from_mode(0o640)).unwrap();
    // A budget of the directory would end the program before it is done.
    let limits = Limits {
        run_directory_bytes: Bound::Unlimited,
        run_directory_entries: Bound::Unlimited,
        ..session_limits()
    };
    let session = place.session().limits(limits).build();
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
    assert_eq!(session.close(), [""; 0]);
    assert!(place.told.named("SANDBOX_FINDING").is_empty());
    let keep = fs::metadata(outside.join("keep")).unwrap();
    assert_eq!(keep.permissions().mode() & 0o777, 0o640);
}

/// Only the privileged can meet another user's root in a base directory of their own.
#[test]
fn a_dead_root_of_another_user_stays_and_an_own_one_goes() {
    let place = Place::new();
    let own = place.plant("own", |owner| owner.pid = 0);
    let foreign = place.plant("foreign", |owner| owner.pid = 0);
    let is_foreign = std::os::unix::fs::chown(&foreign, Some(1), None).is_ok();
    place.session().build().run(&python("")).unwrap();
    assert_eq!((own.exists(), foreign.exists()), (false, is_foreign));
}
