//! Linux. A second look at the clock. A program can hold the lock of its own output for as long as it likes: whoever
//! copies into a pipe has it while it waits for what it copies, be that a socket that says nothing (`sendfile`), or a page
//! of its own memory that a hundred other threads change the map of (`write`). Its launcher then waits in read(2) for
//! that lock, which neither a timeout nor a signal ends (`anon_pipe_read`). No filter can refuse the latter, so each
//! deadline is kept by a thread of its own, one for the whole process, which is there while one of them is due.

use crate::per_process::PerProcess;
use crate::sys::kernel;
use nix::sys::signal::{SigSet, Signal, killpg};
use nix::unistd::Pid;
use std::collections::BTreeMap;
use std::io;
use std::os::fd::OwnedFd;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// How long after a deadline the thread looks: a launcher that is not held up has killed by then.
const GRACE: Duration = Duration::from_millis(100);

/// What the thread has to do, in the order in which it is due.
static DUE: PerProcess<Due> =
    PerProcess::new(Due { programs: BTreeMap::new(), serial: 0, looks: None });
/// Told when something is due earlier than all before.
static EARLIER: Condvar = Condvar::new();

#[derive(Default)]
struct Due {
    programs: BTreeMap<(Instant, u64), Arc<Program>>,
    serial: u64,
    /// When the thread looks next; nothing while there is none.
    looks: Option<Instant>,
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
    /// The process whose thread keeps it.
    process: u32,
    key: (Instant, u64),
    program: Arc<Program>,
}

impl Deadline {
    /// Has a program killed soon after this time.
    ///
    /// # Errors
    /// When there can be no thread.
    pub(super) fn set(at: Instant, pid: i32, pidfd: OwnedFd, kill_group: bool) -> io::Result<Self> {
        let program = Arc::new(Program { pid, pidfd, kill_group, stage: Mutex::new(Stage::Ours) });
        let at = at.checked_add(GRACE).unwrap_or(at);
        let mut due = DUE.lock();
        match due.looks {
            None => {
                let thread = std::thread::Builder::new().name("deadlines".to_owned());
                thread.spawn(keep)?;
                due.looks = Some(at);
            }
            // To wake it takes a program longer than everything else here.
            Some(looks) if at < looks => EARLIER.notify_one(),
            Some(_in_time) => {}
        }
        due.serial += 1;
        let key = (at, due.serial);
        due.programs.insert(key, Arc::clone(&program));
        Ok(Self { process: std::process::id(), key, program })
    }

    /// Whether it has passed and the program was killed for it.
    pub(super) fn has_passed(&self) -> bool {
        *locked(&self.program.stage) == Stage::Killed
    }
}

impl Drop for Deadline {
    fn drop(&mut self) {
        // In a copy of that it may be locked for ever, and nobody keeps it.
        if self.process != std::process::id() {
            return;
        }
        *locked(&self.program.stage) = Stage::Over;
        DUE.lock().programs.remove(&self.key);
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
    let mut due = DUE.lock();
    while let Some((&key, _)) = due.programs.first_key_value() {
        let left = key.0.saturating_duration_since(Instant::now());
        due.looks = Some(key.0);
        if left > Duration::ZERO {
            due = EARLIER.wait_timeout(due, left).unwrap_or_else(PoisonError::into_inner).0;
        } else if let Some(program) = due.programs.remove(&key) {
            drop(due);
            program.end();
            due = DUE.lock();
        }
    }
    due.looks = None;
}

/// What a thread that panicked left is whole: nothing here can panic between two changes.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
