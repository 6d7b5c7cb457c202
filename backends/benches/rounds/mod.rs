//! Ways to do the same thing, measured side by side.

use std::time::{Duration, Instant};

/// Before each measured time: what the one before left to the kernel, or has done beside its host, is over by then,
/// and is not paid by the next.
const PAUSE: Duration = Duration::from_millis(1);

/// How often a way is taken in a row, where there is no pause.
const ROW: usize = 20;

/// What is measured: it takes its way once and says how long that took.
pub(crate) type Way<'a> = &'a dyn Fn() -> Duration;

/// The medians of all ways. Each is taken once a round, so that drift hits all alike, and in an order that changes, so
/// that each comes after each other.
pub(crate) fn medians<const N: usize>(rounds: usize, ways: [Way<'_>; N]) -> [Duration; N] {
    let mut times = [const { Vec::new() }; N];
    for round in 0..rounds {
        for place in 0..N {
            let way = turn(round, place, N);
            std::thread::sleep(PAUSE);
            times[way].push(ways[way]());
        }
    }
    times.map(median)
}

/// The medians of all ways when each is taken many times in a row: what a host waits for that does nothing between two
/// programs.
pub(crate) fn medians_in_a_row<const N: usize>(rounds: usize, ways: [Way<'_>; N]) -> [Duration; N] {
    let in_a_row = ways.map(|way| {
        move || {
            let began = Instant::now();
            for _ in 0..ROW {
                way();
            }
            began.elapsed() / ROW as u32
        }
    });
    medians(rounds / ROW, in_a_row.each_ref().map(|way| way as Way<'_>))
}

/// Which way has this place in a round: they begin with another each round, forwards and backwards.
fn turn(round: usize, place: usize, ways: usize) -> usize {
    let forwards = (round / 2 + place) % ways;
    if round.is_multiple_of(2) { forwards } else { ways - 1 - forwards }
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort();
    times[times.len() / 2]
}

/// One time in units of another.
pub(crate) fn ratio(of: Duration, to: Duration) -> f64 {
    of.as_secs_f64() / to.as_secs_f64()
}
