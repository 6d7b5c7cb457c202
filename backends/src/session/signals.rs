//! Linux. Offered to hosts without signal handling of their own: a signal that ends the process releases its
//! sessions first.

use super::live::release_all;
use nix::sys::signal::{SigSet, Signal, raise};
use std::io;

/// The signals by which users and supervisors end a process.
const SIGNALS: [Signal; 4] = [Signal::SIGHUP, Signal::SIGINT, Signal::SIGQUIT, Signal::SIGTERM];

/// Why signals cannot be waited for.
#[derive(Debug, thiserror::Error)]
#[error("{call}: {source}")]
pub struct SignalError {
    /// The call that failed.
    pub call: &'static str,
    /// Its error.
    pub source: io::Error,
}

/// From now on SIGHUP, SIGINT, SIGQUIT and SIGTERM release all sessions and then do what they did before:
/// by default they end the process.
///
/// To be called in the first thread before any other is started: the signals are blocked in it and in all
/// that it starts, and a thread of their own waits for them. Programs of a session start with nothing blocked.
///
/// # Errors
/// When the signals cannot be blocked or the thread cannot be started.
pub fn release_on_signals() -> Result<(), SignalError> {
    let signals: SigSet = SIGNALS.into_iter().collect();
    signals
        .thread_block()
        .map_err(|errno| SignalError { call: "pthread_sigmask", source: errno.into() })?;
    std::thread::Builder::new()
        .name("release-sessions".to_owned())
        .spawn(move || {
            while let Ok(signal) = signals.wait() {
                let _nobody_to_tell = release_all();
                let one: SigSet = [signal].into_iter().collect();
                if one.thread_unblock().is_ok() {
                    let _the_end = raise(signal);
                    let _again = one.thread_block();
                }
            }
        })
        .map(drop)
        .map_err(|source| SignalError { call: "clone", source })
}
