//! Threads: libc starts one by `clone3`, which a filter cannot look into, and falls back to `clone`.

use super::expect;
use harness::scene::Scene;
use harness::useful::UsefulWork;
use std::sync::{Arc, Barrier, Condvar, Mutex, RwLock, mpsc};
use std::time::Duration;
use std::{io, thread};

pub(super) const WORKS: &[UsefulWork] = &[
    UsefulWork {
        id: "useful/threads",
        summary: "Eight threads share work through a channel, locks and a barrier",
        work: native!(share_work),
        ..UsefulWork::BLANK
    },
    UsefulWork {
        id: "useful/thread-storm",
        summary: "Five hundred threads start and end one after the other, some with large stacks",
        work: native!(storm),
        ..UsefulWork::BLANK
    },
];

const THREADS: u64 = 8;
const ITEMS: u64 = 10_000;

fn share_work(_scene: &Scene) -> io::Result<()> {
    let (sender, receiver) = mpsc::channel::<u64>();
    let receiver = Arc::new(Mutex::new(receiver));
    let sum = Arc::new(RwLock::new(0));
    let barrier = Arc::new(Barrier::new(THREADS as usize));
    let mut threads = Vec::new();
    for index in 0..THREADS {
        let (receiver, sum, barrier) = (receiver.clone(), sum.clone(), barrier.clone());
        let body = move || -> Option<()> {
            barrier.wait();
            loop {
                let item = receiver.lock().ok()?.recv();
                let Ok(item) = item else { return Some(()) };
                *sum.write().ok()? += item;
            }
        };
        threads.push(thread::Builder::new().name(format!("worker {index}")).spawn(body)?);
    }
    for item in 1..=ITEMS {
        sender.send(item).map_err(io::Error::other)?;
    }
    drop(sender);
    for thread in threads {
        expect(thread.join().is_ok_and(|end| end.is_some()), "a worker did not end well")?;
    }
    let sum = sum.read().map_or(0, |sum| *sum);
    expect(sum == ITEMS * (ITEMS + 1) / 2, "the workers lost an item")?;
    wait_in_vain()
}

/// A timed wait for what never happens ends.
fn wait_in_vain() -> io::Result<()> {
    let (mutex, condition) = (Mutex::new(()), Condvar::new());
    let guard = mutex.lock().map_err(|_poison| super::wrong("a lock is poisoned"))?;
    let (_guard, timeout) = condition
        .wait_timeout_while(guard, Duration::from_millis(2), |()| true)
        .map_err(|_poison| super::wrong("a lock is poisoned"))?;
    expect(timeout.timed_out(), "a timed wait ended without its reason")
}

fn storm(_scene: &Scene) -> io::Result<()> {
    for index in 0..500_usize {
        let builder = thread::Builder::new().stack_size(1 << (16 + index % 8));
        let answer = builder.spawn(move || index * 2)?.join();
        expect(answer.is_ok_and(|answer| answer == index * 2), "a thread lost its answer")?;
    }
    Ok(())
}
