//! Linux. Work beside the host, done by one thread for the whole process: what one program leaves and the next needs,
//! for which the host shall not wait.
//!
//! The thread stays for as long as its process, because children that it starts die with it.

use crate::per_process::PerProcess;
use nix::sys::signal::SigSet;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, Sender, channel};

type Task = Box<dyn FnOnce() + Send>;

/// The way to the thread. A copy of this process has none.
static THREAD: PerProcess<Option<Sender<Task>>> = PerProcess::new(None);

/// Has a task done, after those before it.
///
/// # Errors
/// When there can be no thread. The task is not done.
pub(crate) fn run(task: impl FnOnce() + Send + 'static) -> io::Result<()> {
    let sender = sender()?;
    sender.send(Box::new(task)).map_err(|_gone| io::ErrorKind::BrokenPipe.into())
}

/// The way to the thread, which is started if there is none.
fn sender() -> io::Result<Sender<Task>> {
    let mut thread = THREAD.lock();
    if let Some(sender) = &*thread {
        return Ok(sender.clone());
    }
    let (sender, tasks) = channel();
    let builder = std::thread::Builder::new().name("aside".to_owned());
    builder.spawn(move || work(&tasks))?;
    Ok(thread.insert(sender).clone())
}

fn work(tasks: &Receiver<Task>) {
    // The signals of the host are for its own threads.
    let _no_set_is_refused = SigSet::all().thread_block();
    for task in tasks {
        // The programs that run shall not die of it.
        let _was_told_by_the_panic = catch_unwind(AssertUnwindSafe(task));
    }
}
