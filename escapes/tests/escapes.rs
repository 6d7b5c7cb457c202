//! The catalogue as tests: see `harness::libtest`. This binary is the program under trial, too.

use backends::native::native;
use backends::none::none;
use harness::libtest::{Column, Expected, Suite, demand, main as run};
use std::process::ExitCode;

fn main() -> ExitCode {
    if let Some(code) = harness::stage::play(&escapes::all(), &escapes::parts()) {
        return code;
    }
    run(Suite {
        escapes: escapes::all(),
        useful: escapes::useful::all(),
        columns: [
            Column { backend: Box::new(none()), expected: Expected::Escapes },
            Column { backend: Box::new(native()), expected: Expected::Holds },
        ]
        .into_iter()
        .chain(layers())
        .collect(),
        demand: demand(),
    })
}

/// Each layer alone.
#[cfg(target_os = "linux")]
fn layers() -> Vec<Column> {
    use backends::single::{hygiene, landlock, seccomp};
    use harness::escape::Layer;
    // Of root it takes the capabilities, too, by which root reaches other processes.
    let of_hygiene = if nix::unistd::geteuid().is_root() {
        Expected::AtLeast(Layer::Hygiene)
    } else {
        Expected::Layer(Layer::Hygiene)
    };
    vec![
        Column { backend: Box::new(landlock()), expected: Expected::Layer(Layer::Landlock) },
        Column { backend: Box::new(seccomp()), expected: Expected::Layer(Layer::Seccomp) },
        Column { backend: Box::new(hygiene()), expected: of_hygiene },
    ]
}

/// Seatbelt is one layer.
#[cfg(target_os = "macos")]
fn layers() -> Vec<Column> {
    Vec::new()
}
