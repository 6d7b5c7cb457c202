//! Linux. A second look at the clock. Who may copy between descriptors can hold the lock of its own output for as
//! long as it likes, by sendfile(2) from a socket that says nothing for instance, and its launcher then waits in
//! read(2) for that lock, which neither a timeout nor a signal ends (`splice_file_to_pipe`, `pipe_read`). So the
//! deadlines of such programs are kept by a thread of their own, one for the whole process, which is there while
//! one of them is due. A program whose filter refuses those copies costs none.

use crate::linux::seccomp::{Action, Filter, Rule};
use crate::sys::kernel;
use nix::sys::signal::{SigSet, Signal, killpg};
use nix::unistd::Pid;
use std::collections::BTreeMap;
use std::io;
use std::os::fd::OwnedFd;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// The calls that hold the lock of a pipe while they wait for their other side.
const HOLDING: [&str; 2] = ["sendfile", "splice"];

/// How long after a deadline the thread looks: a launcher that is not held up has killed by then.
const GRACE: Duration = Duration::from_millis(100);

/// What the thread has to do, in the order in which it is due.
static DUE: Mutex<Due> = Mutex::new(Due { programs: BTreeMap::new(), serial: 0, process: 0 });
/// Told when something is due earlier than all before.
static EARLIER: Condvar = Condvar::new();

struct Due {
    programs: BTreeMap<(Instant, u64), Arc<Program>>,
    serial: u64,
    /// The process in which the thread runs; zero while there is none. A copy of this process has no thread.
    process: u32,
}

#[derive(Debug)]
struct Program {
    pid: i32,
    pidfd: OwnedFd,
    /// Whether the program leads a process group that is killed with it.
    kill_group: bool,
    stage: Mutex<Stage>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    /// It is not reaped, so its number is its own.
    Ours,
    /// It was killed here, at its deadline.
    Killed,
    /// It is about to be reaped, and its number may become somebody else's.
    Over,
}

/// A deadline that is kept until this is dropped, which must be before the program is reaped.
#[derive(Debug)]
pub(super) struct Deadline {
    key: (Instant, u64),
    program: Arc<Program>,
}

/// Whether a program behind this filter can hold the lock of a pipe.
pub(super) fn is_needed(filter: Option<&Filter>) -> bool {
    let refuses = |filter: &Filter, call: &str| {
        let default = Rule::Always(filter.default);
        let rule = filter.rules.get(call).unwrap_or(&default);
        matches!(rule, Rule::Always(Action::Errno(_) | Action::KillProcess))
    };
    filter.is_none_or(|filter| !HOLDING.iter().all(|call| refuses(filter, call)))
}

impl Deadline {
    /// Has a program killed soon after this time.
    ///
    /// # Errors
    /// When there can be no thread.
    pub(super) fn set(at: Instant, pid: i32, pidfd: OwnedFd, kill_group: bool) -> io::Result<Self> {
        let program = Arc::new(Program { pid, pidfd, kill_group, stage: Mutex::new(Stage::Ours) });
        let mut due = locked(&DUE);
        let this = std::process::id();
        if due.process != this {
            // Those that stand here were another's to end: this process is a copy of it.
            due.programs.clear();
            let thread = std::thread::Builder::new().name("deadlines".to_owned());
            thread.spawn(keep)?;
            due.process = this;
        }
        due.serial += 1;
        let key = (at.checked_add(GRACE).unwrap_or(at), due.serial);
        due.programs.insert(key, Arc::clone(&program));
        if due.programs.first_key_value().is_some_and(|(first, _)| *first == key) {
            EARLIER.notify_one();
        }
        Ok(Self { key, program })
    }

    /// Whether it has passed and the program was killed for it.
    pub(super) fn has_passed(&self) -> bool {
        *locked(&self.program.stage) == Stage::Killed
    }
}

impl Drop for Deadline {
    fn drop(&mut self) {
        *locked(&self.program.stage) = Stage::Over;
        locked(&DUE).programs.remove(&self.key);
    }
}

impl Program {
    fn end(&self) {
        // Held while it is killed: nobody reaps it meanwhile.
        let mut stage = locked(&self.stage);
        if *stage != Stage::Ours {
            return;
        }
        *stage = Stage::Killed;
        if self.kill_group {
            let _nobody_left = killpg(Pid::from_raw(self.pid), Signal::SIGKILL);
        }
        let _dead_already = kernel::kill(&self.pidfd);
    }
}

/// The thread: it ends when nothing is due any more, at the time for which it last waited.
fn keep() {
    // The signals of the host are for its own threads.
    let _no_set_is_refused = SigSet::all().thread_block();
    let mut due = locked(&DUE);
    while let Some((&key, _)) = due.programs.first_key_value() {
        let left = key.0.saturating_duration_since(Instant::now());
        if left > Duration::ZERO {
            due = EARLIER.wait_timeout(due, left).unwrap_or_else(PoisonError::into_inner).0;
        } else if let Some(program) = due.programs.remove(&key) {
            drop(due);
            program.end();
            due = locked(&DUE);
        }
    }
    due.process = 0;
}

/// What a thread that panicked left is whole: nothing here can panic between two changes.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::linux::seccomp::{Arch, strict};

    #[test]
    fn a_filter_that_refuses_both_copies_needs_no_second_look_and_any_other_does() {
        let filter = strict(Arch::X86_64);
        assert!(!is_needed(Some(&filter)));
        assert!(is_needed(None));
        for call in HOLDING {
            let mut wider = filter.clone();
            wider.rules.insert(call.to_owned(), Rule::Always(Action::Allow));
            assert!(is_needed(Some(&wider)), "{call}");
        }
    }
}
