//! What a run in a session costs beside `std::process::Command` for the same Python program.
//! `cargo bench -p backends --bench session`.

#![expect(clippy::print_stdout, reason = "a benchmark prints its figures")]
#![expect(clippy::unwrap_used, reason = "a benchmark ends where its setting is broken")]

mod rounds;

use backends::executor::Program;
use backends::linux::discover;
use backends::policy::{Bound, Limits};
use backends::session::{Session, session_limits};
use rounds::{Way, medians, medians_in_a_row, ratio};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

const ROUNDS: usize = 200;

/// A program that does little, and one as hosts run them.
const PROGRAMS: [(&str, &str); 2] = [
    ("print", "print(1)"),
    (
        "json, re, file",
        "import json, re\nopen('x', 'w').write(json.dumps([1] * 1000)); print(re.sub('1', '2', open('x').read())[:9])",
    ),
];

/// The bare start of the interpreter and, with what any host does around it, making a directory for the
/// program, writing its text and removing both: the first is what the bound is of, and leaves that outside.
#[expect(clippy::disallowed_methods, reason = "this is what a session is compared with")]
fn standard(python: &Path, folder: &Path, text: &str) -> [Duration; 2] {
    let program = folder.join("program.py");
    let run = folder.join("run");
    let all = Instant::now();
    std::fs::create_dir(&run).unwrap();
    std::fs::write(&program, text).unwrap();
    let began = Instant::now();
    let output = std::process::Command::new(python)
        .args(["-I", "-S", "-B", "-X", "utf8", "-u"])
        .arg(&program)
        .env_clear()
        .current_dir(&run)
        .stdin(std::process::Stdio::null())
        .output()
        .unwrap();
    assert!(output.status.success());
    let bare = began.elapsed();
    std::fs::remove_dir_all(&run).unwrap();
    std::fs::remove_file(&program).unwrap();
    [bare, all.elapsed()]
}

fn confined(session: &Session, text: &str) -> Duration {
    let began = Instant::now();
    let run = session.run(&Program::python(text)).unwrap();
    assert!(run.outcome().is_success());
    drop(run);
    began.elapsed()
}

fn measure(name: &str, session: &Session, python: &Path, folder: &Path, bound: &str) {
    for (what, text) in PROGRAMS {
        let bare = || standard(python, folder, text)[0];
        let host = || standard(python, folder, text)[1];
        let own = || confined(session, text);
        let ways: [Way<'_>; 3] = [&bare, &host, &own];
        for (way, [bare, host, own], bound) in [
            (what, medians(ROUNDS, ways), bound),
            ("  without a pause", medians_in_a_row(ROUNDS, ways), ""),
        ] {
            println!(
                "{name:<14} {way:<18} std {bare:>8.2?}  session {own:>8.2?}  ratio {:.3} {bound}  \
                 std with its directory {host:>8.2?}  ratio {:.3}",
                ratio(own, bare),
                ratio(own, host),
            );
        }
    }
}

fn main() {
    let python: PathBuf =
        discover::python(Path::new("python3"), OsStr::new("/usr/local/bin:/usr/bin:/bin"))
            .unwrap()
            .executable;
    let folder = tempfile::tempdir().unwrap();
    let base = folder.path().join("base");
    let plain = Session::builder().base(&base).build();
    measure("native", &plain, &python, folder.path(), "(at most 1.05)");
    let limits = Limits { address_space_bytes: Bound::At(1 << 30), ..session_limits() };
    let bounded = Session::builder().base(&base).limits(limits).build();
    measure("memory bounded", &bounded, &python, folder.path(), "");
    let hooked = Session::builder().base(&base).hook(true).build();
    measure("with hook", &hooked, &python, folder.path(), "");
}
