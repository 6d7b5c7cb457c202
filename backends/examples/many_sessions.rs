//! The full measure of what `tests/lifecycle.rs` shows in small: a hundred sessions of five processes at once,
//! each running programs, with sweeps racing and a host killed in the middle; then ten thousand runs in one
//! session. `cargo run -p backends --example many_sessions [SESSIONS-PER-PROCESS] [RUNS]`

#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a measurement ends where its setting is broken"
)]

#[path = "../tests/storm/mod.rs"]
mod storm;

use std::io::Read;
use std::time::Instant;

fn main() {
    if storm::is_host() {
        return;
    }
    let mut arguments = std::env::args_os().skip(1).map(|text| text.to_str().unwrap().to_owned());
    let sessions = arguments.next().map_or(20, |text| text.parse().unwrap());
    let runs = arguments.next().unwrap_or_else(|| "10000".to_owned());
    let folder = tempfile::tempdir().unwrap();
    let base = folder.path().canonicalize().unwrap().join(storm::base_name());
    let began = Instant::now();
    storm::storm(&base, 5, sessions, 5);
    println!(
        "{} sessions of 5 processes: nothing lost, nothing left, {:.1?}",
        5 * sessions,
        began.elapsed()
    );
    let began = Instant::now();
    let mut host = storm::start("grow", &[base.to_str().unwrap(), &runs]);
    let mut said = String::new();
    host.stdout.take().unwrap().read_to_string(&mut said).unwrap();
    assert!(host.wait().unwrap().success(), "{said}");
    print!("{said}");
    println!("in {:.1?}", began.elapsed());
}
