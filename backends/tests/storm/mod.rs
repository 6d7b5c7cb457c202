//! Hosts as processes of their own, for what one process cannot show: a host that is killed, sessions of
//! several hosts at once, and what many runs leave in a process. The same binary is the host.

use backends::executor::{Outcome, Program, RunError};
use backends::harvest::HarvestLimits;
use backends::session::{Base, Session, release_on_signals};
use backends::sweep::sweep;
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};

/// What a process is told to be a host.
pub(crate) const HOST: &str = "--host";

/// What hosts share that outlives a process: System V objects and POSIX names.
#[derive(Debug)]
pub(crate) struct Shared(BTreeSet<String>);

impl Shared {
    /// What there is now.
    pub(crate) fn now() -> Self {
        let objects = ["shm", "sem", "msg"].into_iter().flat_map(|kind| {
            let table = fs::read_to_string(format!("/proc/sysvipc/{kind}")).unwrap_or_default();
            // The key and the id: what follows changes with use.
            let name =
                |line: &str| line.split_ascii_whitespace().take(2).collect::<Vec<_>>().join(" ");
            table.lines().skip(1).map(|line| format!("{kind} {}", name(line))).collect::<Vec<_>>()
        });
        let names =
            ["/dev/shm", "/dev/mqueue"].into_iter().flat_map(fs::read_dir).flatten().flatten();
        Self(objects.chain(names.map(|entry| entry.path().display().to_string())).collect())
    }

    /// What came since. What went is not ours to judge: others of this host end, too.
    pub(crate) fn since(&self) -> Vec<String> {
        Self::now().0.difference(&self.0).cloned().collect()
    }
}

/// Acts as a host if this process was told to, and says so.
pub(crate) fn is_host() -> bool {
    let mut arguments = std::env::args_os().skip(1);
    if arguments.next().as_deref() != Some(HOST.as_ref()) {
        return false;
    }
    let role = arguments.next().unwrap_or_default();
    let rest: Vec<OsString> = arguments.collect();
    let base = PathBuf::from(&rest[0]);
    let number = |index: usize| rest[index].to_str().unwrap().parse().unwrap();
    match role.to_str().unwrap() {
        "wait" => wait(&base, false),
        "wait-for-signals" => wait(&base, true),
        "naive" => naive(&base),
        "many" => many(&base, number(1), number(2)),
        "grow" => grow(&base, number(1)),
        other => panic!("unknown role {other:?}"),
    }
    true
}

/// The name of the base directory of hosts that name none.
pub(crate) fn base_name() -> PathBuf {
    PathBuf::from(Base::default_path().file_name().unwrap())
}

/// Starts this binary as a host.
#[expect(clippy::disallowed_methods, reason = "a host is no program under trial")]
pub(crate) fn start(role: &str, arguments: &[&str]) -> Child {
    // So that the base directory is the one that hosts use which name none.
    let folder = Path::new(arguments[0]).parent().unwrap();
    // The test itself may run where signals are ignored, behind nohup(1) for instance.
    std::process::Command::new("env")
        .arg("--default-signal=HUP,INT,QUIT,TERM")
        .arg(std::env::current_exe().unwrap())
        .args([HOST, role])
        .args(arguments)
        .env("TMPDIR", folder)
        .stdout(Stdio::piped())
        .spawn()
        .unwrap()
}

/// Runs a program that says where it is, in a file, and waits.
fn wait(base: &Path, signals: bool) {
    if signals {
        release_on_signals().unwrap();
    }
    let session = Session::builder().base(base).build();
    let text = "import os, time
open('part', 'w').write(str(os.getpid())); os.rename('part', 'started')
time.sleep(100)";
    let ended = session.run(&Program::python(text));
    assert!(matches!(ended, Err(RunError::Released)), "{ended:?}");
    // Released by a signal, which is about to end this process.
    loop {
        std::thread::park();
    }
}

/// Starts a program as hosts do that think of nothing, says which, and waits.
#[expect(clippy::disallowed_methods, reason = "the naive host of a control")]
fn naive(base: &Path) {
    let program = std::process::Command::new("sleep").arg("1000").stdin(Stdio::null()).spawn();
    fs::write(base.with_extension("part"), program.unwrap().id().to_string()).unwrap();
    fs::rename(base.with_extension("part"), base.with_extension("program")).unwrap();
    loop {
        std::thread::park();
    }
}

/// Runs programs in several sessions at once and checks that each gets its own. Sweeps race with them.
fn many(base: &Path, sessions: usize, runs: usize) {
    let stop = std::sync::atomic::AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !stop.load(std::sync::atomic::Ordering::SeqCst) {
                // It goes with the last session in it, and comes with the next.
                let Ok(base) = Base::open(base, &[]) else { continue };
                for swept in sweep(&base).unwrap() {
                    assert!(swept.findings.is_empty(), "{swept:?}");
                }
                std::thread::sleep(std::time::Duration::from_millis(1));
            }
        });
        let hosts: Vec<_> =
            (0..sessions).map(|number| scope.spawn(move || one(base, number, runs))).collect();
        let ended: Vec<bool> = hosts.into_iter().map(|host| host.join().is_ok()).collect();
        stop.store(true, std::sync::atomic::Ordering::SeqCst);
        assert!(ended.iter().all(|ended| *ended));
    });
}

fn one(base: &Path, number: usize, runs: usize) {
    let session = Session::builder().base(base).build();
    for turn in 0..runs {
        let own = format!("{}-{number}-{turn}", std::process::id());
        let text = "import os, sys
assert os.listdir('.') == ['tmp'] and os.listdir('tmp') == []
open('same', 'a').write(sys.argv[1]); print(open('same').read())";
        let run = session.run(&Program::python(text).argument(&own)).unwrap();
        assert_eq!(run.outcome(), &Outcome::Exited(0), "{:?}", run.stderr());
        assert_eq!(run.stdout(), format!("{own}\n").as_bytes());
        let harvest = run.harvest("same", &HarvestLimits::default()).unwrap();
        assert_eq!(harvest.files()[0].read().unwrap(), own.as_bytes());
    }
    assert!(session.close().is_empty());
}

/// What a process holds.
#[derive(Clone, Copy, Debug)]
struct Holds {
    descriptors: usize,
    resident_pages: usize,
    entries: usize,
}

impl Holds {
    fn now(base: &Path) -> Self {
        let root = fs::read_dir(base).unwrap().next().unwrap().unwrap().path();
        let pages = fs::read_to_string("/proc/self/statm").unwrap();
        Self {
            descriptors: fs::read_dir("/proc/self/fd").unwrap().count(),
            resident_pages: pages.split(' ').nth(1).unwrap().parse().unwrap(),
            entries: fs::read_dir(root).unwrap().count(),
        }
    }
}

/// Many runs in one session: neither descriptors nor memory nor directories grow.
fn grow(base: &Path, runs: usize) {
    assert!(runs > 100, "what each run leaves must be more than what comes and goes");
    let session = Session::builder().base(base).build();
    let once = || {
        let text = "open('x.txt', 'w').write('x')";
        let run = session.run(&Program::python(text)).unwrap();
        assert_eq!(run.outcome(), &Outcome::Exited(0));
        assert_eq!(run.harvest("*.txt", &HarvestLimits::default()).unwrap().files().len(), 1);
    };
    for _ in 0..20 {
        once();
    }
    let before = Holds::now(base);
    for _ in 0..runs {
        once();
    }
    let after = Holds::now(base);
    let _ = writeln!(std::io::stdout(), "{runs} runs: {before:?} -> {after:?}");
    // What is made and removed beside the host may or may not be there: the next folder and the last two; the next
    // child's pidfd and channel, and what the removal of a folder has open.
    assert!(after.entries <= before.entries + 3);
    assert!(after.descriptors <= before.descriptors + 16);
    // An allocator's own slack, whatever the number of runs: 2 MiB.
    assert!(after.resident_pages < before.resident_pages + 512);
}

/// Processes whose environment names this base directory.
pub(crate) fn processes_of(base: &Path) -> Vec<u32> {
    let wanted = base.to_str().unwrap().as_bytes();
    let entries = fs::read_dir("/proc").unwrap().flatten();
    entries
        .filter_map(|entry| entry.file_name().to_str()?.parse().ok())
        .filter(|pid: &u32| {
            fs::read(format!("/proc/{pid}/environ"))
                .is_ok_and(|text| text.windows(wanted.len()).any(|window| window == wanted))
        })
        .collect()
}

/// Sessions of several processes at once, with sweeps racing and one host killed in the middle. Panics if
/// anything is lost, swept alive, or left.
pub(crate) fn storm(base: &Path, processes: usize, sessions: usize, runs: usize) {
    let shared = Shared::now();
    let killed = start("wait", &[base.to_str().unwrap()]);
    let (sessions, runs) = (sessions.to_string(), runs.to_string());
    let hosts: Vec<Child> = (0..processes)
        .map(|_| start("many", &[base.to_str().unwrap(), &sessions, &runs]))
        .collect();
    let (root, _program) = started(base, killed.id());
    kill(killed);
    for mut host in hosts {
        assert!(host.wait().unwrap().success());
    }
    assert_eq!(processes_of(base), [0; 0]);
    // The killed host's root fell to a sweep of the others, or falls to this one.
    sweep(&Base::open(base, &[]).unwrap()).unwrap();
    assert!(!root.exists());
    let left: Vec<_> = fs::read_dir(base).unwrap().flatten().map(|entry| entry.path()).collect();
    assert!(left.is_empty(), "{left:?}");
    assert_eq!(processes_of(base), [0; 0]);
    assert_eq!(shared.since(), [""; 0]);
}

/// Kills a host as nothing else does, and reaps it.
pub(crate) fn kill(mut host: Child) {
    host.kill().unwrap();
    host.wait().unwrap();
}

/// Waits until the program of a waiting host runs: the host's session root and the program's id.
pub(crate) fn started(base: &Path, host: u32) -> (PathBuf, u32) {
    loop {
        for entry in fs::read_dir(base).into_iter().flatten().flatten() {
            let ours = entry.file_name().to_string_lossy().starts_with(&format!("session-{host}-"));
            if ours
                && let Ok(pid) = fs::read_to_string(entry.path().join("run-1/directory/started"))
            {
                return (entry.path(), pid.parse().unwrap());
            }
        }
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
}
