//! Grants on the real kernel: a program accesses exactly what is granted, and no race makes a grant mean
//! something else. Each test has, as its control, a naive host that checks the text of a path and
//! resolves it late, under the same kernel.

#![cfg(target_os = "linux")]
#![expect(clippy::unwrap_used, reason = "a test fails where its setting is broken")]

mod exact;
mod races;
mod shapes;

use backends::backend::{Backend, Confinement};
use backends::child::{Child, Event, Exit};
use backends::command::{Command, Input};
use backends::grants::{Grants, Refusal};
use backends::linux::tape::{Tape, answers};
use backends::native::native;
use backends::policy::Policy;
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// `EACCES` as a call answers it.
const DENIED: i64 = -(libc::EACCES as i64);

/// A folder with `work`, `outside/secret` and the run directory, all beside each other.
struct Place {
    _folder: TempDir,
    base: PathBuf,
}

impl Place {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let base = folder.path().canonicalize().unwrap();
        for name in ["work", "outside", "run"] {
            fs::create_dir(base.join(name)).unwrap();
        }
        fs::write(base.join("work/own"), "own").unwrap();
        fs::write(base.join("outside/secret"), "secret").unwrap();
        Self { _folder: folder, base }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.base.join(name)
    }

    fn text(&self, name: &str) -> String {
        self.path(name).to_str().unwrap().to_owned()
    }

    /// The policy of these grants with the start of the program that plays the tape.
    fn policy(&self, grants: &Grants, tape: &Tape) -> Result<Policy, Refusal> {
        let program = self.path("program");
        let _first = fs::remove_file(&program);
        tape.write_to(&program).unwrap();
        Ok(Policy::builder().grants(grants)?.execute(&program)?.build()?)
    }

    /// Launches the program under a confinement.
    fn launch(&self, confinement: &dyn Confinement) -> Child {
        let mut command = Command::new(self.path("program"), self.path("run"));
        command.input = Input::Fed;
        confinement.launch(command).unwrap()
    }

    /// Plays a tape under these grants and returns what its calls answered.
    fn play(&self, grants: &Grants, tape: &Tape) -> Vec<i64> {
        let policy = self.policy(grants, tape).unwrap();
        finish(self.launch(&*native().prepare(&policy).unwrap()))
    }

    /// What a naive host does: the text of the path must begin as it should, and the place is looked
    /// up when the program is launched, through whatever it leads through by then.
    fn naive(&self, beneath: &str, asked: &str, tape: &Tape) -> Vec<i64> {
        assert!(asked.starts_with(beneath), "the check by text passes");
        let late = Path::new(asked).canonicalize().unwrap();
        let mut grants = Grants::default().write(late);
        grants.shared_files = true;
        self.play(&grants, tape)
    }
}

/// Follows a program that needs no more input to its end.
fn finish(mut child: Child) -> Vec<i64> {
    child.close_input();
    let mut output = Vec::new();
    loop {
        match child.next_event().unwrap() {
            Event::Output(bytes) => output.extend(bytes),
            Event::Error(bytes) => panic!("{:?}", String::from_utf8_lossy(&bytes)),
            Event::Ended(ended) => {
                assert_eq!(ended.exit, Exit::Code(0));
                return answers(&output);
            }
        }
    }
}

/// A tape that makes these opens, in this order.
fn opens(accesses: &[(&str, i32)]) -> Tape {
    let mut tape = Tape::default();
    for (path, flags) in accesses {
        tape.open(path.as_bytes(), *flags);
    }
    tape.report();
    tape.exit();
    tape
}

/// A tape that says that it is there, waits for input, and then makes these opens.
fn waits_and_opens(accesses: &[(&str, i32)]) -> Tape {
    let mut tape = Tape::default();
    let buffer = tape.data(b"!");
    tape.call(libc::SYS_write, [2, buffer, 1, 0, 0, 0]);
    tape.call(libc::SYS_read, [0, buffer, 1, 0, 0, 0]);
    for (path, flags) in accesses {
        tape.open(path.as_bytes(), *flags);
    }
    tape.report();
    tape.exit();
    tape
}

/// Waits until such a program is there, changes the world, and lets it go on. Its opens' answers.
fn change_while_it_waits(mut child: Child, change: impl FnOnce()) -> Vec<i64> {
    assert!(matches!(child.next_event().unwrap(), Event::Error(_)));
    change();
    child.feed(b"!");
    finish(child).split_off(2)
}
