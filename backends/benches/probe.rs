//! What the probe of the rung costs: the first question of a process, which everybody asks once, and the probe
//! alone, again and again. `cargo bench -p backends --bench probe`.

#![expect(clippy::print_stdout, reason = "a benchmark prints its figures")]
#![expect(clippy::unwrap_used, reason = "a benchmark ends where its setting is broken")]

use backends::native::{native, native_hidden};
use backends::probe;
use std::time::{Duration, Instant};

const ROUNDS: usize = 200;

/// What a host may wait for its rung at most.
const MOST: Duration = Duration::from_millis(30);

fn main() {
    let began = Instant::now();
    let found = probe::host();
    let first = began.elapsed();
    println!("{:<28} {first:>10.2?} (at most {MOST:.0?})", "first in the process");
    println!("{:<28} {:>10}", "rung", found.rung.as_ref().map_or("S0", |_earned| "S1"));
    let began = Instant::now();
    assert!(std::ptr::eq(probe::host(), found));
    println!("{:<28} {:>10.2?}", "asked again", began.elapsed());
    for (name, backend) in [("native", native()), ("native, metadata hidden", native_hidden())] {
        if let Err(why) = probe::of(&backend).rung {
            println!("{name:<28} not earned: {why}");
            continue;
        }
        let mut times: Vec<Duration> = (0..ROUNDS)
            .map(|_| {
                let began = Instant::now();
                probe::of(&backend).rung.unwrap();
                began.elapsed()
            })
            .collect();
        times.sort();
        let at = |percent: usize| times[(ROUNDS * percent / 100).min(ROUNDS - 1)];
        println!(
            "{name:<28} {:>10.2?} median  {:>8.2?} p95  {:>8.2?} most",
            at(50),
            at(95),
            times[ROUNDS - 1]
        );
    }
}
