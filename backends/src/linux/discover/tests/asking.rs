//! Asking an interpreter: what pretends to be one, and what is remembered of an answer.

use std::time::Duration;

use super::pythons::{ask_for, interpreters};
use super::*;
use crate::linux::discover::ask::{LIMITS, Limits};
use crate::linux::discover::cache::Cache;
use crate::linux::discover::python::resolve;

/// A shell script by the name of an interpreter, and how asking it fails.
fn failure(text: &str, limits: Limits) -> AskError {
    let folder = Folder::new();
    let fake = folder.script("python3", &format!("#!/bin/sh\n{text}\n"));
    match resolve(&fake, &path_variable(), limits, &Cache::new()).unwrap_err() {
        DiscoverError::Ask { source, .. } => source,
        other => panic!("{other}"),
    }
}

#[test]
fn an_interpreter_that_answers_rubbish_is_refused() {
    let said = |text: &str| match failure(text, LIMITS) {
        AskError::Rubbish { said } => said,
        other => panic!("{other}"),
    };
    assert_eq!(said("echo hello"), "hello");
    assert_eq!(said(":"), "");
    assert_eq!(said(r"printf '\033[2J'"), r"\u{1b}[2J");
    // A right answer but for its version, its greeting, a relative path, its end, its library.
    let answer = |version: &str, format: &str| {
        format!(r"printf '{format}' escapology-python {version} /bin/true /usr /usr /usr/lib")
    };
    let right = r"%s\0%s\0%s\0%s\0%s\0%s\0";
    for version in ["3.11", "3.11.2.1", "3.999.1", "three"] {
        said(&answer(version, right));
    }
    said(&answer("3.11.2", r"x%s\0%s\0%s\0%s\0%s\0%s\0"));
    said(&answer("3.11.2", r"%s\0%s\0.%s\0%s\0%s\0%s\0"));
    said(&answer("3.11.2", r"%s\0%s\0%s\0%s\0%s\0%s"));
    said(&answer("3.11.2", r"%s\0%s\0%s\0%s\0%s\0\0"));
    // The control: this one has the right form and is refused for what it says.
    let folder = Folder::new();
    let fake = folder.script("python3", &format!("#!/bin/sh\n{}\n", answer("3.11.2", right)));
    let error = python(&fake, &path_variable()).unwrap_err();
    assert!(
        matches!(&error, DiscoverError::Ask { interpreter, .. } if interpreter.ends_with("true")),
        "{error}"
    );
}

#[test]
fn an_answer_that_leads_to_no_interpreter_with_a_library_is_refused() {
    let folder = Folder::new();
    let answer = |name: &str, executable: &Path| {
        let format = r"escapology-python\0%s\0%s\0/usr\0/usr\0/usr/share\0";
        let values = format!("3.11.2 {}", executable.display());
        folder.script(name, &format!("#!/bin/sh\nprintf '{format}' {values}\n"))
    };
    let own = answer("python3", &folder.path.join("python3"));
    let error = python(&own, &path_variable()).unwrap_err();
    assert!(matches!(error, DiscoverError::NoStandardLibrary { .. }), "{error}");
    let lost = answer("python3", &folder.path.join("absent"));
    let error = python(&lost, &path_variable()).unwrap_err();
    assert!(matches!(error, DiscoverError::Base { .. }) && !error.is_not_found(), "{error}");
    answer("python", &folder.path.join("pypy"));
    let circle = answer("pypy", &folder.path.join("python"));
    let error = python(&circle, &path_variable()).unwrap_err();
    assert!(matches!(error, DiscoverError::NoBase { .. }), "{error}");
}

#[test]
fn an_interpreter_that_fails_hangs_or_floods_is_refused() {
    let error = failure("echo broken >&2; exit 3", LIMITS);
    assert!(matches!(&error, AskError::Failed { said, .. } if said == "broken"), "{error}");
    let short = Limits { time: Duration::from_millis(200), ..LIMITS };
    let error = failure("exec sleep 1000", short);
    assert!(matches!(error, AskError::TimedOut(_)), "{error}");
    let error = failure("exec cat /dev/zero", LIMITS);
    assert!(matches!(error, AskError::TooMuch(_)), "{error}");
    let error = failure("exec cat /dev/zero >&2", LIMITS);
    assert!(matches!(error, AskError::TooMuch(_)), "{error}");
}

#[test]
fn what_an_interpreter_leaves_running_is_killed_and_not_waited_for() {
    let folder = Folder::new();
    let number = folder.path.join("number");
    // The sleeper holds the streams open for longer than any test runs.
    let text = format!("sleep 100000 & echo $! >{}; echo rubbish", number.display());
    assert!(matches!(failure(&text, LIMITS), AskError::Rubbish { .. }));
    let number: i32 = fs::read_to_string(number).unwrap().trim().parse().unwrap();
    // Killed: gone, or not yet reaped by whoever inherited it. The kernel takes a moment.
    let ended = || {
        let state = fs::read_to_string(format!("/proc/{number}/stat")).unwrap_or_default();
        state.is_empty() || state.contains(") Z ") || state.contains(") X ")
    };
    let pauses = std::iter::repeat_with(|| std::thread::sleep(Duration::from_millis(10)));
    assert!(pauses.take(3000).any(|()| ended()), "{number} still runs");
}

#[test]
fn an_interpreter_is_asked_once_and_again_when_its_file_is_replaced() {
    let base = ask_for(&interpreters()[0]);
    let folder = Folder::new();
    // A second installation: the same interpreter with its library beside it.
    let name = base.executable.file_name().unwrap().to_str().unwrap();
    let copy = folder.copy(&format!("bin/{name}"), &base.executable);
    let library = base.needs.read.iter().find(|path| path.join("os.py").is_file()).unwrap();
    folder.link(&format!("lib/{name}"), library);
    let cache = Cache::new();
    let look = || resolve(&copy, &path_variable(), LIMITS, &cache);
    let first = look().unwrap();
    assert_eq!((&first.executable, first.version), (&copy, base.version));
    // With no time to answer in, only the memory can.
    let no_time = Limits { time: Duration::ZERO, bytes: 0 };
    assert_eq!(resolve(&copy, &path_variable(), no_time, &cache).unwrap(), first);
    folder.copy(&format!("bin/{name}"), Path::new("/bin/true"));
    let error = look().unwrap_err();
    assert!(
        matches!(error, DiscoverError::Ask { source: AskError::Rubbish { .. }, .. }),
        "{error}"
    );
}

#[test]
fn many_threads_get_the_same_answer() {
    let path = &interpreters()[0];
    let expected = ask_for(path);
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..8).map(|_| scope.spawn(|| ask_for(path))).collect();
        for thread in threads {
            assert_eq!(thread.join().unwrap(), expected);
        }
    });
}
