//! The mode `container` on the real runtimes of this host. Where a host has no container to give, the
//! tests are ignored when the list is made, and their kind says why; that nothing runs then is tested everywhere.

#![cfg(target_os = "linux")]
#![expect(clippy::unwrap_used, reason = "a test fails where its setting is broken")]

use backends::backend::Backend;
use backends::child::{Cause, Completed, Exit, WaitError};
use backends::command::Command;
use backends::container::{Container, Runtime, container};
use backends::discover;
use backends::events::{Event, Observer};
use backends::executor::{Outcome, Program, RunError};
use backends::harvest::HarvestLimits;
use backends::launch::LaunchError;
use backends::policy::{Bound, Limits, Policy, PolicyBuilder};
use backends::session::{Mode, Session, SessionError};
use libtest_mimic::{Arguments, Trial};
use serde_json::Value;
use std::ffi::OsStr;
use std::fs;
use std::io::Write;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Duration;

const PLACES: &str = "/usr/local/bin:/usr/bin:/bin:/usr/local/sbin:/usr/sbin:/sbin";

fn main() {
    if let Some(base) = std::env::var_os("ESCAPOLOGY_TEST_HOST") {
        host(Path::new(&base));
        return;
    }
    if let Some(base) = std::env::var_os("ESCAPOLOGY_TEST_MOUNTED") {
        write_below(Path::new(&base));
        return;
    }
    let mut trials = vec![
        Trial::test("a_host_without_a_runtime_is_told_and_nothing_runs", || {
            nothing_runs();
            Ok(())
        }),
        Trial::test("a_runtime_that_lies_is_not_used", || {
            a_liar_is_not_used();
            Ok(())
        }),
    ];
    for runtime in Runtime::ALL {
        trials.extend(of_runtime(runtime));
    }
    // The session takes whichever there is, so it is without one only if every runtime is.
    let absent = Runtime::ALL.into_iter().map(absent).min().flatten();
    trials.extend([
        trial("session", absent, "a_session_runs_each_program_in_a_container_of_its_own", session),
        trial("session", absent, "a_killed_host_leaves_no_container_and_is_swept", killed),
    ]);
    libtest_mimic::run(&Arguments::from_args(), trials).exit();
}

/// Why this host has no container of a runtime: not that one was tried and failed, which is a failure.
fn absent(runtime: Runtime) -> Option<&'static str> {
    let is_installed =
        PLACES.split(':').any(|place| Path::new(place).join(runtime.name()).exists());
    if is_installed { no_namespaces() } else { Some("not-installed") }
}

#[expect(clippy::disallowed_methods, reason = "asks the kernel through a program that is not ours")]
fn no_namespaces() -> Option<&'static str> {
    let made = std::process::Command::new("unshare")
        .args(["--user", "--map-root-user", "--mount", "--pid", "--fork", "--mount-proc", "true"])
        .output();
    let can = made.is_ok_and(|made| made.status.success());
    (!can).then_some("no-user-namespaces")
}

fn trial(
    group: &str,
    absent: Option<&str>,
    name: &str,
    test: impl FnOnce() + Send + 'static,
) -> Trial {
    let trial = Trial::test(format!("{group}::{name}"), move || {
        test();
        Ok(())
    });
    match absent {
        Some(why) => trial.with_kind(why).with_ignored_flag(true),
        None => trial,
    }
}

/// One test of a runtime.
type Test = fn(Runtime);

fn of_runtime(runtime: Runtime) -> Vec<Trial> {
    let tests: [(&str, Test); 8] = [
        ("a_granted_place_that_was_swapped_is_refused", swapped),
        ("what_is_mounted_below_a_granted_directory_is_read_only_too", mounted),
        ("a_runtime_that_fails_is_not_taken_for_a_program_that_ends", fails),
        ("a_program_reads_and_writes_what_is_granted_and_nothing_else", files),
        ("a_program_has_no_network_no_process_no_capability_and_gains_none", surface),
        ("limits_end_a_program", limits),
        ("a_killed_program_takes_its_container_along", kill),
        ("arguments_and_streams_pass_as_they_are", streams),
    ];
    let absent = absent(runtime);
    tests
        .into_iter()
        .map(|(name, test)| trial(runtime.name(), absent, name, move || test(runtime)))
        .collect()
}

/// A run directory and a secret beside it, under a Python program's policy.
struct Place {
    folder: tempfile::TempDir,
}

impl Place {
    fn new() -> Self {
        let place = Self { folder: tempfile::tempdir().unwrap() };
        fs::create_dir(place.run()).unwrap();
        fs::write(place.secret(), "token").unwrap();
        place
    }

    fn base(&self) -> PathBuf {
        self.folder.path().canonicalize().unwrap()
    }

    fn run(&self) -> PathBuf {
        self.base().join("run")
    }

    fn secret(&self) -> PathBuf {
        self.base().join("secret")
    }

    fn policy(limits: Limits) -> Policy {
        needed(Policy::builder().limits(limits))
    }

    fn command(&self, text: &str) -> Command {
        let mut command = Command::new(python().needs.image, self.run());
        command.arguments = ["-I", "-S", "-c", text].map(Into::into).into();
        command
    }

    fn completed(&self, backend: &dyn Backend, text: &str) -> Completed {
        let confinement = backend.prepare(&Self::policy(Limits::default())).unwrap();
        confinement.launch(self.command(text)).unwrap().wait().unwrap()
    }
}

/// With what the interpreter needs.
fn needed(mut builder: PolicyBuilder) -> Policy {
    let needs = python().needs;
    for path in &needs.read {
        builder = builder.read(path).unwrap();
    }
    for path in &needs.execute {
        builder = builder.execute(path).unwrap();
    }
    builder.devices().unwrap().build().unwrap()
}

fn python() -> discover::Python {
    discover::python(Path::new("python3"), OsStr::new("/usr/local/bin:/usr/bin:/bin")).unwrap()
}

fn text(completed: &Completed) -> String {
    let Completed { output, error, .. } = completed;
    format!("{}{}", String::from_utf8_lossy(output), String::from_utf8_lossy(error))
}

/// Each act by itself, with the name of the exception that it ended in, or what it gave.
const ACTS: &str = "
def act(name, function):
    try:
        print(name, function())
    except BaseException as error:
        print(name, type(error).__name__)
";

fn files(runtime: Runtime) {
    let place = Place::new();
    let secret = place.secret();
    let program = format!(
        "import os{ACTS}
act('read', lambda: open({secret:?}).read())
act('list', lambda: sorted(os.listdir({base:?})))
act('write', lambda: open({secret:?}, 'w').write('x'))
act('root', lambda: open('/new', 'w').write('x'))
act('device', lambda: open('/dev/new', 'w').write('x'))
act('system', lambda: open(os.__file__, 'a'))
act('null', lambda: open('/dev/null', 'w').write('x'))
act('own', lambda: open('own', 'w').write('mine'))",
        base = place.base(),
    );
    let said = text(&place.completed(&Container::of(runtime), &program));
    let wanted = "read FileNotFoundError\nlist ['run']\nwrite OSError\nroot OSError\n\
                  device OSError\nsystem OSError\nnull 1\nown 4\n";
    assert_eq!(said, wanted);
    assert_eq!(fs::read_to_string(place.run().join("own")).unwrap(), "mine");
    assert_eq!(fs::read_to_string(&secret).unwrap(), "token");
    // Bare, the same program gets all of it.
    let bare = text(&place.completed(&backends::none::none(), &program));
    assert!(bare.starts_with("read token\nlist ['run', 'secret']\nwrite 1\n"), "{bare}");
    // As root it could make these two: leave nothing.
    for made in ["/new", "/dev/new"] {
        let _not_made = fs::remove_file(made);
    }
}

fn surface(runtime: Runtime) {
    let place = Place::new();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.set_nonblocking(true).unwrap();
    let port = listener.local_addr().unwrap().port();
    let program = format!(
        "import ctypes, os, socket{ACTS}
libc = ctypes.CDLL(None, use_errno=True)
act('connect', lambda: socket.create_connection(('127.0.0.1', {port}), 5))
act('fork', os.fork)
act('pid', os.getpid)
act('privileges', lambda: libc.prctl(39, 0, 0, 0, 0))
act('capability', lambda: [libc.prctl(23, number, 0, 0, 0) for number in range(38)].count(1))
act('host', lambda: os.uname().nodename)
act('inherited', lambda: [number for number in range(3, 64) if libc.fcntl(number, 1) >= 0])
act('environment', lambda: sorted(os.environ))"
    );
    let said = text(&place.completed(&Container::of(runtime), &program));
    assert!(said.starts_with("connect PermissionError\nfork PermissionError\npid 1\n"), "{said}");
    assert!(said.contains("host container\n"), "{said}");
    assert!(!said.contains("CARGO"), "{said}");
    assert!(listener.accept().is_err());
    let control = program.replace("act('fork', os.fork)", "");
    let bare = text(&place.completed(&backends::none::none(), &control));
    assert!(bare.starts_with("connect <socket"), "{bare}");
    assert!(listener.accept().is_ok());
}

fn limits(runtime: Runtime) {
    let place = Place::new();
    let run = |limits: Limits, text: &str| {
        let confinement = Container::of(runtime).prepare(&Place::policy(limits)).unwrap();
        confinement.launch(place.command(text)).unwrap().wait().unwrap()
    };
    let wall = Limits { wall_clock_milliseconds: Bound::At(1_000), ..Limits::default() };
    let late = run(wall, "import time\nprint('began', flush=True)\ntime.sleep(1000)");
    assert_eq!(late.ended.cause, Some(Cause::WallClock));
    let file = Limits { file_size_bytes: Bound::At(1_000), ..Limits::default() };
    let large = "open('file', 'wb', 0).write(b'x' * 1_000)\nopen('file', 'ab', 0).write(b'x')";
    assert_ne!(run(file, large).ended.exit, Exit::Code(0));
    assert_eq!(run(Limits::default(), large).ended.exit, Exit::Code(0));
    let files = Limits { open_files: Bound::At(20), ..Limits::default() };
    let open = "kept = [open('/dev/null') for _ in range(30)]";
    assert_ne!(run(files, open).ended.exit, Exit::Code(0));
    assert_eq!(run(Limits::default(), open).ended.exit, Exit::Code(0));
    let memory = |bytes| Limits { address_space_bytes: Bound::At(bytes), ..Limits::default() };
    let (enough, little) = match runtime {
        Runtime::Crun => (1 << 28, 1 << 20),
        Runtime::Runc => (1 << 32, 1 << 30),
    };
    let many = &format!("print(len(bytes({})))", enough + (1 << 28));
    let said = text(&run(memory(enough), many));
    assert!(said.contains("MemoryError"), "{said}");
    assert_eq!(run(Limits::default(), many).ended.exit, Exit::Code(0));
    // A file without a name counts, though it is not the launched process that has it open.
    let disk = Limits { run_directory_bytes: Bound::At(1 << 20), ..Limits::default() };
    let unnamed = "import os, time
file = open('file', 'wb', 0)
os.unlink('file')
file.write(b'x' * (1 << 23))
time.sleep(1000)";
    assert_eq!(run(disk, unnamed).ended.cause, Some(Cause::RunDirectory));
    // What a runtime itself needs is refused before anything runs.
    let refused = Container::of(runtime).prepare(&Place::policy(memory(little)));
    assert!(refused.unwrap_err().to_string().contains("address space"));
}

fn fails(runtime: Runtime) {
    let place = Place::new();
    let confinement = Container::of(runtime).prepare(&Place::policy(Limits::default())).unwrap();
    let run = |command: Command| confinement.launch(command).unwrap().wait();
    // What is not granted is not there.
    let failed = run(Command::new("/bin/true", place.run()));
    assert!(matches!(failed, Err(WaitError::Sandbox { .. })), "{failed:?}");
    let failed = run(place.command("import sys\nsys.exit(1)")).unwrap();
    assert_eq!(failed.ended.exit, Exit::Code(1));
    let killed = run(place.command("import ctypes\nctypes.string_at(0)")).unwrap();
    assert_eq!((killed.ended.exit, killed.ended.cause), (Exit::Signal(11), None));
    let spinning = Limits { cpu_seconds: Bound::At(1), ..Limits::default() };
    let confinement = Container::of(runtime).prepare(&Place::policy(spinning)).unwrap();
    let spun = confinement.launch(place.command("while True: pass")).unwrap().wait().unwrap();
    assert_eq!(spun.ended.cause, Some(Cause::CpuTime), "{spun:?}");
}

fn swapped(runtime: Runtime) {
    let place = Place::new();
    let granted = place.base().join("granted");
    fs::create_dir(&granted).unwrap();
    let policy = needed(Policy::builder().read(&granted).unwrap());
    let confinement = Container::of(runtime).prepare(&policy).unwrap();
    let ran = place.run().join("ran");
    let launch = || confinement.launch(place.command("open('ran', 'w')"));
    assert_eq!(launch().unwrap().wait().unwrap().ended.exit, Exit::Code(0));
    fs::remove_file(&ran).unwrap();
    fs::rename(&granted, place.base().join("before")).unwrap();
    fs::create_dir(&granted).unwrap();
    assert!(matches!(launch(), Err(LaunchError::Unavailable(_))));
    assert!(!ran.exists());
}

fn kill(runtime: Runtime) {
    let place = Place::new();
    let confinement = Container::of(runtime).prepare(&Place::policy(Limits::default())).unwrap();
    let sleeper = "open('began', 'w')\nimport time\ntime.sleep(1000)";
    let child = confinement.launch(place.command(sleeper)).unwrap();
    until(|| place.run().join("began").exists());
    assert_eq!(living_in(&place.run()).len(), 1);
    drop(child);
    until(|| living_in(&place.run()).is_empty());
}

/// The same in a mount namespace that has a file system below the granted directory.
#[expect(clippy::disallowed_methods, reason = "a host with mounts of its own is another process")]
fn mounted(runtime: Runtime) {
    let place = Place::new();
    fs::create_dir_all(place.base().join("granted/below")).unwrap();
    let script = "mount -t tmpfs none \"$1/granted/below\" && exec \"$2\"";
    let host = std::process::Command::new("unshare")
        .args(["--user", "--map-root-user", "--mount", "--", "sh", "-c", script, "sh"])
        .args([place.base(), std::env::current_exe().unwrap()])
        .env("ESCAPOLOGY_TEST_MOUNTED", place.base())
        .env("ESCAPOLOGY_TEST_RUNTIME", runtime.name())
        .output()
        .unwrap();
    let said = String::from_utf8(host.stdout).unwrap();
    assert_eq!(said, "read given\nwrite OSError\n", "{}", String::from_utf8_lossy(&host.stderr));
}

fn write_below(base: &Path) {
    let name = std::env::var("ESCAPOLOGY_TEST_RUNTIME").unwrap();
    let runtime = Runtime::ALL.into_iter().find(|runtime| runtime.name() == name).unwrap();
    let (run, granted) = (base.join("run"), base.join("granted"));
    let file = granted.join("below/file");
    // The host itself may write there.
    fs::write(&file, "given").unwrap();
    let policy = needed(Policy::builder().read(&granted).unwrap());
    let program = format!(
        "{ACTS}
act('read', lambda: open({file:?}).read())
act('write', lambda: open({file:?}, 'w').write('x'))"
    );
    let mut command = Command::new(python().needs.image, run);
    command.arguments = ["-I", "-S", "-c", &program].map(Into::into).into();
    let confinement = Container::of(runtime).prepare(&policy).unwrap();
    let said = text(&confinement.launch(command).unwrap().wait().unwrap());
    std::io::stdout().write_all(said.as_bytes()).unwrap();
}

fn streams(runtime: Runtime) {
    let place = Place::new();
    let confinement = Container::of(runtime).prepare(&Place::policy(Limits::default())).unwrap();
    let mut command = place.command(
        "import sys\nprint(sys.argv[1:], sys.stdin.read())\nprint('bad', file=sys.stderr)\nsys.exit(7)",
    );
    command.arguments.extend(["--", "{run}", "a b\n$(x)'\""].map(Into::into));
    command.input = backends::command::Input::Fed;
    let mut child = confinement.launch(command).unwrap();
    child.feed(b"given");
    child.close_input();
    let Completed { ended, output, error } = child.wait().unwrap();
    assert_eq!(ended.exit, Exit::Code(7));
    let output = String::from_utf8(output).unwrap();
    assert_eq!(output, "['--', '{run}', 'a b\\n$(x)\\'\"'] given\n");
    assert_eq!(error, b"bad\n");
    // A description is text: what is none is refused before anything runs.
    let mut command = place.command("open('ran', 'w')");
    let bytes = <OsStr as std::os::unix::ffi::OsStrExt>::from_bytes(b"\xff").to_owned();
    command.arguments.push(bytes);
    assert!(confinement.launch(command).is_err());
    assert!(!place.run().join("ran").exists());
}

#[derive(Debug, Default)]
struct Told(Mutex<Vec<Value>>);

impl Observer for Told {
    fn event(&self, event: &Event) {
        self.0.lock().unwrap().push(serde_json::to_value(event).unwrap());
    }
}

fn nothing_runs() {
    let place = Place::new();
    let empty = place.base().join("empty");
    fs::create_dir(&empty).unwrap();
    let told = Arc::new(Told::default());
    let witness = place.run().join("witness");
    let refused = container().searched_in(&empty).prepare(&Place::policy(Limits::default()));
    let lost = refused.unwrap_err();
    let said = lost.to_string();
    for name in ["crun", "runc", "execve", empty.to_str().unwrap(), lost.remedy] {
        assert!(said.contains(name), "{said}");
    }
    let session = Session::builder()
        .base(place.base().join("sessions"))
        .backend(container().searched_in(&empty))
        .observer(Arc::clone(&told) as Arc<dyn Observer>)
        .build();
    let refused = session.run(&Program::python(format!("open({witness:?}, 'w')")));
    assert!(matches!(refused, Err(RunError::Session(SessionError::Unavailable(_)))));
    let told = told.0.lock().unwrap();
    assert_eq!(told.len(), 1);
    assert_eq!(told[0]["event"], "SANDBOX_UNAVAILABLE");
    assert_eq!(told[0]["repairable"], false);
    assert!(!witness.exists() && !place.base().join("sessions").exists());
}

/// A runtime that says yes to everything, one that starts nothing, and one that runs the program bare.
fn a_liar_is_not_used() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let place = Place::new();
    let lies = [
        "exit 0",
        "exit 1",
        // The last argument but one is the bundle.
        "cd \"$7\" && exec sh -c 'true > /dev/null; printf looked > looked; (exit 0) && exit 55'",
    ];
    for (number, lie) in lies.into_iter().enumerate() {
        let folder = place.base().join(format!("lie-{number}"));
        fs::create_dir(&folder).unwrap();
        fs::write(folder.join("runc"), format!("#!/bin/sh\n{lie}\n")).unwrap();
        fs::set_permissions(folder.join("runc"), fs::Permissions::from_mode(0o755)).unwrap();
        for name in ["sh", "unshare"] {
            symlink(Path::new("/usr/bin").join(name), folder.join(name)).unwrap();
        }
        let refused = Container::of(Runtime::Runc)
            .searched_in(&folder)
            .prepare(&Place::policy(Limits::default()));
        assert!(refused.unwrap_err().to_string().contains("runc: "), "{lie}");
    }
}

fn session() {
    let place = Place::new();
    let told = Arc::new(Told::default());
    let base = place.base().join("sessions");
    let session = Session::builder()
        .base(&base)
        .mode(Mode::Container)
        .observer(Arc::clone(&told) as Arc<dyn Observer>)
        .build();
    let first = session.run(&Program::python("open('a', 'w').write('first')")).unwrap();
    assert_eq!(*first.outcome(), Outcome::Exited(0));
    // The second neither sees nor reaches what the first has left.
    let look = "import os\nprint(os.listdir('..'), os.listdir('.'), os.getpid())";
    let second = session.run(&Program::python(look)).unwrap();
    let said = String::from_utf8_lossy(second.stdout()).into_owned();
    assert_eq!(said, "['directory', 'program.py'] ['tmp'] 1\n");
    let harvest = first.harvest("a", &HarvestLimits::default()).unwrap();
    assert_eq!(harvest.files()[0].read().unwrap(), b"first");
    drop((first, second, harvest));
    drop(session);
    assert_eq!(fs::read_dir(&base).unwrap().count(), 0);
    let told = told.0.lock().unwrap();
    let made = told.iter().find(|event| event["event"] == "SANDBOX_SESSION").unwrap();
    assert_eq!((&made["backend"], &made["commitment"]), (&"container".into(), &Value::Null));
    assert!(made["mechanism"].as_str().unwrap().contains("namespaces"));
}

/// A host that waits for its program, which waits for its end.
fn host(base: &Path) {
    let session = Session::builder().base(base).mode(Mode::Container).build();
    let program = "open('began', 'w')\nimport time\ntime.sleep(1000)";
    let _killed_before = session.run(&Program::python(program));
}

#[expect(clippy::disallowed_methods, reason = "a host that is killed is a process of its own")]
fn killed() {
    let place = Place::new();
    let base = place.base().join("sessions");
    let mut child = std::process::Command::new(std::env::current_exe().unwrap())
        .env("ESCAPOLOGY_TEST_HOST", &base)
        .spawn()
        .unwrap();
    let began = || {
        let roots = fs::read_dir(&base).into_iter().flatten().flatten();
        roots.map(|root| root.path().join("run-1/directory/began")).find(|began| began.exists())
    };
    until(|| began().is_some());
    let directory = began().unwrap().parent().unwrap().to_owned();
    assert_eq!(living_in(&directory).len(), 1);
    child.kill().unwrap();
    child.wait().unwrap();
    until(|| living_in(&directory).is_empty());
    assert!(directory.exists());
    let next = Session::builder().base(&base).mode(Mode::Container).build();
    next.run(&Program::python("")).unwrap();
    assert!(!directory.exists());
}

/// The processes whose working directory is this one: a container has it under the same name.
fn living_in(directory: &Path) -> Vec<String> {
    let entries = fs::read_dir("/proc").unwrap().flatten();
    entries
        .filter(|entry| fs::read_link(entry.path().join("cwd")).is_ok_and(|cwd| cwd == directory))
        .filter(|entry| {
            fs::read(entry.path().join("cmdline"))
                .is_ok_and(|line| line.windows(6).any(|part| part == b"python"))
        })
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect()
}

fn until(condition: impl Fn() -> bool) {
    while !condition() {
        std::thread::sleep(Duration::from_millis(5));
    }
}
