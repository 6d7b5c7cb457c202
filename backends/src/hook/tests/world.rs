//! The directories, listeners and victim of one run, and the interpreters that are found on this host.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::io::{Read, Write};
use std::net::{TcpListener, UdpSocket};
use std::os::unix::fs::{MetadataExt, symlink};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;

use super::super::{HookPolicy, HookRules, arguments, plain_arguments};

/// An interpreter, and the directory of its standard library with the extension modules in it.
#[derive(Debug)]
pub(super) struct Interpreter {
    pub(super) executable: PathBuf,
    pub(super) library: PathBuf,
}

/// Whether the program runs under the hook.
#[expect(clippy::large_enum_variant, reason = "a test makes a handful of them")]
pub(super) enum Arm {
    Plain,
    Hook(HookRules),
}

/// What a program did, as far as its parent sees it.
#[derive(Debug)]
pub(super) struct Seen {
    pub(super) status: Option<i32>,
    pub(super) stdout: String,
    pub(super) stderr: String,
}

impl Seen {
    /// The program was told of a refusal, or was ended for tampering.
    pub(super) fn refused(&self) -> bool {
        self.stderr.contains("Operation not permitted") || self.status == Some(86)
    }
}

/// One run's surroundings: `run` is writable, `granted` readable but for the file `writable` in it, `outside` neither.
pub(super) struct World {
    root: tempfile::TempDir,
    token: String,
    before: BTreeMap<PathBuf, String>,
    tcp: TcpListener,
    udp: UdpSocket,
    victim: Option<Child>,
}

const PRELUDE: &str = "\
import os, sys
outside, granted, tcp, udp, victim = sys.argv[1:3] + [int(number) for number in sys.argv[3:]]
";

#[expect(
    clippy::disallowed_methods,
    reason = "the interpreters run without a sandbox: the hook alone is under test"
)]
pub(super) fn command(program: &Path) -> Command {
    Command::new(program)
}

fn see(command: &mut Command) -> Seen {
    let output = command.output().unwrap();
    Seen {
        status: output.status.code(),
        stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
        stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
    }
}

/// Every Python from 3.8 on that PATH or pyenv offers, each once.
pub(super) fn interpreters() -> &'static [Interpreter] {
    static FOUND: OnceLock<Vec<Interpreter>> = OnceLock::new();
    let found = FOUND.get_or_init(|| {
        let path = std::env::var_os("PATH").unwrap_or_default();
        let mut folders: Vec<PathBuf> = std::env::split_paths(&path).collect();
        let pyenv =
            PathBuf::from(std::env::var_os("HOME").unwrap_or_default()).join(".pyenv/versions");
        folders.extend(
            fs::read_dir(pyenv)
                .into_iter()
                .flatten()
                .flatten()
                .map(|entry| entry.path().join("bin")),
        );
        let names: Vec<String> = (8..30)
            .map(|minor| format!("python3.{minor}"))
            .chain([String::from("python3")])
            .collect();
        let candidates =
            folders.iter().flat_map(|folder| names.iter().map(|name| folder.join(name)));
        let asked = candidates
            .filter(|candidate| candidate.is_file())
            .filter_map(|candidate| ask(&candidate));
        asked
            .map(|interpreter| (interpreter.executable.clone(), interpreter))
            .collect::<BTreeMap<_, _>>()
            .into_values()
            .collect()
    });
    assert!(
        !found.is_empty(),
        "no Python 3.8 or later: looked for python3 and python3.N in PATH and ~/.pyenv/versions/*/bin"
    );
    found
}

/// Asks for the real interpreter: what PATH names may be a link or a script that starts it.
fn ask(candidate: &Path) -> Option<Interpreter> {
    const QUESTION: &str = "import os, sys\n\
        print(sys.version_info[1], os.path.realpath(sys.executable), os.path.realpath(os.path.dirname(os.__file__)), sep='\\n')";
    let answer = command(candidate)
        .args(["-I", "-S", "-c", QUESTION])
        .stderr(Stdio::null())
        .output()
        .ok()?;
    let answer = String::from_utf8(answer.stdout).ok()?;
    let [minor, executable, library] = answer.lines().collect::<Vec<_>>()[..] else { return None };
    let minor: u32 = minor.parse().ok()?;
    (minor >= 8).then(|| Interpreter { executable: executable.into(), library: library.into() })
}

impl World {
    pub(super) fn new() -> Self {
        let root = tempfile::tempdir().unwrap();
        let token = format!("token{:016x}", RandomState::new().build_hasher().finish());
        for folder in ["run", "running", "granted/folder", "outside/empty"] {
            fs::create_dir_all(root.path().join(folder)).unwrap();
        }
        fs::write(root.path().join("granted/readable"), "readable").unwrap();
        fs::write(root.path().join("granted/writable"), "writable").unwrap();
        symlink("../run/program.py", root.path().join("outside/inward")).unwrap();
        fs::write(root.path().join("outside/secret"), format!("{token}\n")).unwrap();
        fs::write(root.path().join("outside").join(&token), "").unwrap();
        let tcp = TcpListener::bind("127.0.0.1:0").unwrap();
        tcp.set_nonblocking(true).unwrap();
        let udp = UdpSocket::bind("127.0.0.1:0").unwrap();
        udp.set_nonblocking(true).unwrap();
        Self { root, token, before: BTreeMap::new(), tcp, udp, victim: None }
    }

    pub(super) fn path(&self, name: &str) -> PathBuf {
        self.root.path().canonicalize().unwrap().join(name)
    }

    /// What the programs of these tests are granted.
    pub(super) fn policy(&self, interpreter: &Interpreter) -> HookPolicy {
        HookPolicy {
            read: [self.path("granted"), interpreter.library.clone()].into(),
            write: [self.path("run"), self.path("granted/writable"), "/dev/null".into()].into(),
            native_modules: [interpreter.library.clone()].into(),
        }
    }

    /// Runs the text of a program to its end; `outside` and the rest are the names of its surroundings.
    pub(super) fn run(&mut self, interpreter: &Interpreter, program: &str, arm: &Arm) -> Seen {
        if program.contains("victim") {
            let mut cat = command(Path::new("cat"));
            let cat = cat.process_group(0).stdin(Stdio::piped()).stdout(Stdio::piped());
            self.victim = Some(cat.spawn().unwrap());
        }
        self.run_file(interpreter, &format!("{PRELUDE}{program}\n"), arm, Stdio::null())
    }

    /// Runs the text of a program as it stands.
    pub(super) fn run_file(
        &mut self,
        interpreter: &Interpreter,
        text: &str,
        arm: &Arm,
        stdin: Stdio,
    ) -> Seen {
        let program = self.path("run/program.py");
        fs::write(&program, text).unwrap();
        let port =
            |address: std::io::Result<std::net::SocketAddr>| address.unwrap().port().to_string();
        let given: Vec<OsString> = vec![
            self.path("outside").into(),
            self.path("granted").into(),
            port(self.tcp.local_addr()).into(),
            port(self.udp.local_addr()).into(),
            self.victim.as_ref().map_or(0, Child::id).to_string().into(),
        ];
        let arguments = match arm {
            Arm::Plain => plain_arguments(&program, &given),
            Arm::Hook(rules) => {
                arguments(&self.policy(interpreter), rules, &program, &given).unwrap()
            }
        };
        self.before = self.snapshot();
        see(command(&interpreter.executable)
            .args(arguments)
            .current_dir(self.path("run"))
            .stdin(stdin))
    }

    /// Runs a program file under the standard rules.
    pub(super) fn run_path(&self, interpreter: &Interpreter, program: &Path) -> Seen {
        let arguments =
            arguments(&self.policy(interpreter), &HookRules::standard(), program, &[]).unwrap();
        see(command(&interpreter.executable).args(arguments).current_dir(self.path("run")))
    }

    /// Whether the program got what it was not granted.
    pub(super) fn effect(&mut self, seen: &Seen) -> bool {
        seen.stdout.contains(&self.token)
            || self.before != self.snapshot()
            || self.path("run/marker").exists()
            || self.tcp.accept().is_ok()
            || self.udp.recv(&mut [0]).is_ok()
            || self.victim_changed()
    }

    /// The victim no longer echoes, or may no longer open as many files as before. A signal that kills it and was sent
    /// before the question is acted on before the answer.
    fn victim_changed(&mut self) -> bool {
        let Some(victim) = &mut self.victim else { return false };
        let limits =
            fs::read_to_string(format!("/proc/{}/limits", victim.id())).unwrap_or_default();
        let (asked, mut answer) = (victim.stdin.as_mut().unwrap().write_all(b"?"), [0]);
        let alive =
            asked.is_ok() && victim.stdout.as_mut().unwrap().read_exact(&mut answer).is_ok();
        !alive
            || limits
                .lines()
                .any(|line| line.starts_with("Max open files") && line.contains(" 77 "))
    }

    /// Names, contents and metadata of everything in the directories that no program may change. The time of the last
    /// change of a status, which nobody can set back, covers ownership and extended attributes.
    fn snapshot(&self) -> BTreeMap<PathBuf, String> {
        let mut found = BTreeMap::new();
        let mut todo = ["outside", "granted", "running"].map(|name| self.path(name)).to_vec();
        while let Some(path) = todo.pop() {
            let metadata = fs::symlink_metadata(&path).unwrap();
            if metadata.is_dir() {
                todo.extend(fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path()));
            }
            let content = if metadata.is_file() { fs::read(&path).unwrap() } else { Vec::new() };
            let status = (
                metadata.mode(),
                metadata.nlink(),
                metadata.mtime_nsec(),
                metadata.ctime(),
                metadata.ctime_nsec(),
            );
            found.insert(path, format!("{status:?} {content:?}"));
        }
        found
    }
}

impl Drop for World {
    fn drop(&mut self) {
        if let Some(victim) = &mut self.victim {
            victim.kill().unwrap();
            victim.wait().unwrap();
        }
    }
}
