//! A program while it runs: one poll loop in the thread that launched it. The end of the
//! program is its death, never the end of its output, which an escaped descendant could hold open.

use super::awaited::Awaited;
#[cfg(target_os = "linux")]
use super::deadline::Deadline;
#[cfg(target_os = "linux")]
use super::error::LaunchError;
use super::error::WaitError;
use super::feed::Feed;
#[cfg(target_os = "linux")]
use super::ready::Renewal;
use super::watch::Watch;
use super::written::{Stream, Written};
use crate::child::{Cause, Completed, Ended, Event, Exit, Usage};
#[cfg(target_os = "linux")]
use crate::container::Traces;
use crate::sys::kernel;
use nix::poll::PollTimeout;
use std::io;
use std::marker::PhantomData;
use std::os::fd::OwnedFd;

/// Bytes that are read at once. A pipe holds 64 KiB.
const CHUNK: usize = 1 << 16;

/// The launcher's ends of the three streams.
#[derive(Debug)]
pub(crate) struct Parts {
    pub(crate) input: Option<OwnedFd>,
    pub(crate) source: Option<OwnedFd>,
    /// The program's end of its input again, where the source can be put back to what was left unread.
    pub(crate) unread: Option<OwnedFd>,
    pub(crate) output: OwnedFd,
    pub(crate) error: OwnedFd,
}

/// A running program. It stays with the thread that launched it, because the kernel kills it when
/// that thread ends (or its process, if its child was kept ready); dropping it kills it.
#[derive(Debug)]
pub struct Child {
    pid: i32,
    /// A descriptor that can be read from when the program is dead: on Linux a pidfd, elsewhere a queue
    /// of kernel events that holds this one.
    pidfd: OwnedFd,
    watch: Watch,
    feed: Feed,
    written: Written,
    /// What is read lands here first, so that a short line is not kept in room for a long one.
    buffer: Vec<u8>,
    cause: Option<Cause>,
    dead: bool,
    ended: bool,
    /// What a sandbox that is another program leaves of its launch.
    #[cfg(target_os = "linux")]
    traces: Option<Traces>,
    /// Kept beside this thread, which the program can hold up.
    #[cfg(target_os = "linux")]
    deadline: Option<Deadline>,
    /// What is done for the next program once this one has ended.
    #[cfg(target_os = "linux")]
    next: Option<Renewal>,
    _bound_to_its_thread: PhantomData<*const ()>,
}

impl Child {
    pub(crate) fn new(pid: i32, pidfd: OwnedFd, parts: Parts, watch: Watch) -> Self {
        Self {
            pid,
            pidfd,
            watch,
            feed: Feed::new(parts.input, parts.source, parts.unread),
            written: Written::new(parts.output, parts.error),
            buffer: Vec::with_capacity(CHUNK),
            cause: None,
            dead: false,
            ended: false,
            #[cfg(target_os = "linux")]
            traces: None,
            #[cfg(target_os = "linux")]
            deadline: None,
            #[cfg(target_os = "linux")]
            next: None,
            _bound_to_its_thread: PhantomData,
        }
    }

    /// The process id.
    pub fn id(&self) -> u32 {
        self.pid.unsigned_abs()
    }

    /// Has the next child made ready when this one has ended.
    #[cfg(target_os = "linux")]
    pub(super) fn renews(mut self, next: Option<Renewal>) -> Self {
        self.next = next;
        self
    }

    /// Looks at what the launch leaves once the program is dead.
    #[cfg(target_os = "linux")]
    pub(crate) fn leaves(&mut self, traces: Traces) {
        // The launched process has no bound of its own, and the program's is kept below it.
        self.watch.limits.cpu_seconds = traces.cpu_seconds();
        self.traces = Some(traces);
    }

    /// Has the deadline kept by another thread, too, if there is one.
    ///
    /// # Errors
    /// When there can be no such thread.
    #[cfg(target_os = "linux")]
    pub(super) fn keep_deadline(&mut self) -> Result<(), LaunchError> {
        let Some(at) = self.watch.deadline() else { return Ok(()) };
        let pidfd =
            self.pidfd.try_clone().map_err(LaunchError::resource("fcntl(F_DUPFD_CLOEXEC)"))?;
        let set = Deadline::set(at, self.pid, pidfd, self.watch.kill_group);
        self.deadline = Some(set.map_err(LaunchError::resource("pthread_create"))?);
        Ok(())
    }

    /// Queues bytes for standard input; they are written while events are awaited.
    pub fn feed(&mut self, bytes: &[u8]) {
        self.feed.queue(bytes);
    }

    /// Closes standard input once the queue is empty.
    pub fn close_input(&mut self) {
        self.feed.close();
    }

    /// Kills the program: SIGKILL. It is not reaped before it has ended as an event, so that nobody
    /// else can have its number.
    ///
    /// # Errors
    /// The errno of `pidfd_send_signal`, or of `kill` where there are no pidfds.
    pub fn kill(&self) -> Result<(), WaitError> {
        if self.watch.kill_group && !self.dead {
            let group = nix::unistd::Pid::from_raw(self.pid);
            // Where processes may be started, those in the program's own group go with it.
            let _nobody_left = nix::sys::signal::killpg(group, nix::sys::signal::Signal::SIGKILL);
        }
        kernel::kill_child(&self.pidfd, self.pid).map_err(failed(kernel::KILL))
    }

    /// Waits for the next event.
    ///
    /// # Errors
    /// When a call of the loop fails. To be called no more after [`Event::Ended`].
    pub fn next_event(&mut self) -> Result<Event, WaitError> {
        loop {
            if self.dead {
                return self.drain();
            }
            self.enforce()?;
            let ready = self.poll()?;
            self.dead = ready.dead;
            if ready.source {
                self.feed.fill(&mut self.buffer);
            }
            if ready.input {
                self.feed.pour();
            }
            for (is_ready, stream) in [(ready.output, Stream::Output), (ready.error, Stream::Error)]
            {
                if is_ready && let Some(event) = self.read(stream)? {
                    return Ok(event);
                }
            }
        }
    }

    /// Follows the program to its end and collects what it writes.
    ///
    /// # Errors
    /// As [`Child::next_event`].
    pub fn wait(mut self) -> Result<Completed, WaitError> {
        let (mut output, mut error) = (Vec::new(), Vec::new());
        loop {
            match self.next_event()? {
                Event::Output(bytes) => output.extend(bytes),
                Event::Error(bytes) => error.extend(bytes),
                Event::Ended(ended) => return Ok(Completed { ended, output, error }),
            }
        }
    }

    /// Kills the program if a limit that the launcher watches is exceeded.
    fn enforce(&mut self) -> Result<(), WaitError> {
        if self.cause.is_some() {
            return Ok(());
        }
        self.cause = if self.watch.is_over(self.written.bytes()) {
            Some(Cause::Output)
        } else if self.watch.is_late() {
            Some(Cause::WallClock)
        } else {
            self.is_too_large()?.then_some(Cause::RunDirectory)
        };
        if self.cause.is_some() {
            self.kill()?;
        }
        Ok(())
    }

    fn is_too_large(&mut self) -> Result<bool, WaitError> {
        let program = (!self.dead).then_some(self.pid);
        self.watch.is_too_large(program).map_err(failed("look at the run directory"))
    }

    /// Waits for something to do.
    fn poll(&self) -> Result<Awaited, WaitError> {
        // After a kill the death is all that is awaited.
        let timeout = if self.cause.is_some() { PollTimeout::NONE } else { self.watch.timeout() };
        Awaited::wait(&self.pidfd, &self.written, &self.feed, timeout)
            .map_err(|errno| failed("poll")(errno.into()))
    }

    fn read(&mut self, stream: Stream) -> Result<Option<Event>, WaitError> {
        self.written.read(stream, &self.watch, &mut self.buffer).map_err(failed("read"))
    }

    fn reap(&mut self) -> io::Result<kernel::Reaped> {
        // From here on its number may be somebody else's.
        #[cfg(target_os = "linux")]
        drop(self.deadline.take());
        kernel::reap(self.pid)
    }

    /// After death: what is still in the pipes, without waiting for their end, then the end itself.
    fn drain(&mut self) -> Result<Event, WaitError> {
        for stream in [Stream::Output, Stream::Error] {
            let over = self.watch.is_over(self.written.bytes());
            if !over && let Some(event) = self.read(stream)? {
                return Ok(event);
            }
            if over {
                self.cause.get_or_insert(Cause::Output);
            }
        }
        self.feed.give_back();
        #[cfg(target_os = "linux")]
        if self.deadline.as_ref().is_some_and(Deadline::has_passed) {
            self.cause.get_or_insert(Cause::WallClock);
        }
        // What a program leaves counts too, however soon it ended.
        if self.cause.is_none() && self.is_too_large()? {
            self.cause = Some(Cause::RunDirectory);
        }
        let reaped = self.reap().map_err(failed("wait4"))?;
        self.ended = true;
        let exit = if libc::WIFEXITED(reaped.status) {
            Exit::Code(libc::WEXITSTATUS(reaped.status))
        } else {
            Exit::Signal(libc::WTERMSIG(reaped.status))
        };
        #[cfg(target_os = "linux")]
        if let (Some(traces), None) = (&self.traces, self.cause)
            && let Some(said) = traces.complaint(exit)
        {
            return Err(WaitError::Sandbox { said });
        }
        #[cfg(target_os = "linux")]
        let exit = self.traces.as_ref().map_or(exit, |traces| traces.exit(exit));
        if self.cause.is_none() && self.watch.is_out_of_time(exit, reaped.cpu) {
            self.cause = Some(Cause::CpuTime);
        }
        let wall = self.watch.began.elapsed();
        #[cfg(target_os = "linux")]
        drop(self.next.take());
        let usage = Usage { wall, cpu: reaped.cpu, peak_memory: reaped.peak_memory };
        Ok(Event::Ended(Ended { exit, cause: self.cause, usage }))
    }
}

impl Drop for Child {
    fn drop(&mut self) {
        if self.ended {
            return;
        }
        #[cfg(target_os = "linux")]
        if !kernel::is_child(&self.pidfd) {
            // Of a copy of the launcher, or reaped by its host: neither is to be killed, nor has a next one.
            std::mem::forget(self.next.take());
            return;
        }
        let _dead_already = self.kill();
        let _reaped = self.reap();
    }
}

fn failed(call: &'static str) -> impl FnOnce(io::Error) -> WaitError {
    move |source| WaitError::Call { call, source }
}
