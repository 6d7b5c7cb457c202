//! Linux. Work beside the host, done by one thread for the whole process: what one program leaves and the next needs,
//! for which the host shall not wait.
//!
//! The thread stays for as long as its process, because children that it starts die with it.

use nix::sys::signal::SigSet;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Mutex, PoisonError};

type Task = Box<dyn FnOnce() + Send>;

/// The way to the thread, and the process in which that runs: a copy of this process has none.
static THREAD: Mutex<Option<(u32, Sender<Task>)>> = Mutex::new(None);

/// Has a task done, after those before it.
///
/// # Errors
/// When there can be no thread. The task is not done.
pub(crate) fn run(task: impl FnOnce() + Send + 'static) -> io::Result<()> {
    let sender = sender()?;
    sender.send(Box::new(task)).map_err(|_gone| io::ErrorKind::BrokenPipe.into())
}

/// The way to the thread, which is started if there is none. Nothing is sent under the lock: a copy of this process in
/// which another thread held it could never send.
fn sender() -> io::Result<Sender<Task>> {
    // Nothing here can panic between two changes.
    let mut thread = THREAD.lock().unwrap_or_else(PoisonError::into_inner);
    let this = std::process::id();
    if let Some((process, sender)) = &*thread
        && *process == this
    {
        return Ok(sender.clone());
    }
    let (sender, tasks) = channel();
    let builder = std::thread::Builder::new().name("aside".to_owned());
    builder.spawn(move || work(&tasks))?;
    let of_another = thread.replace((this, sender.clone()));
    // The thread that it leads to is not in this copy, and may have had it locked.
    std::mem::forget(of_another);
    Ok(sender)
}

fn work(tasks: &Receiver<Task>) {
    // The signals of the host are for its own threads.
    let _no_set_is_refused = SigSet::all().thread_block();
    for task in tasks {
        // The programs that run shall not die of it.
        let _was_told_by_the_panic = catch_unwind(AssertUnwindSafe(task));
    }
}
