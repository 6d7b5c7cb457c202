//! Words of a file that every program may read, its own image, at which processes wait for each other: the file is
//! their address.

use crate::raw;
use harness::scene::Scene;
use std::ffi::OsString;
use std::fs::File;
use std::io;
use std::os::fd::AsFd;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// Bytes of the image that are mapped. Many, for trials at the same time take different words of it.
const LENGTH: usize = 1 << 20;
/// How often something is tried, and how long apart.
pub(super) const TRIES: usize = 100;
pub(super) const PAUSE: Duration = Duration::from_millis(2);

/// The word that the clues `futex` and `word` tell.
pub(super) fn told(scene: &Scene) -> io::Result<&'static AtomicU32> {
    let words = raw::map_read_only(File::open(scene.path("futex")?)?.as_fd(), LENGTH)?;
    words.get(scene.number::<usize>("word")?).ok_or_else(|| io::ErrorKind::InvalidInput.into())
}

/// The word of one trial.
#[derive(Debug)]
pub(super) struct Word {
    image: PathBuf,
    number: usize,
    pub(super) word: &'static AtomicU32,
}

impl Word {
    pub(super) fn of(nonce: &str) -> io::Result<Self> {
        let image = std::env::current_exe()?;
        let words = raw::map_read_only(File::open(&image)?.as_fd(), LENGTH)?;
        let digits = nonce.get(..8).unwrap_or_default();
        let number = u32::from_str_radix(digits, 16).map_err(io::Error::other)?;
        let number = number as usize % words.len();
        let word = words.get(number).ok_or(io::ErrorKind::InvalidInput)?;
        Ok(Self { image, number, word })
    }

    /// The clues `futex` and `word`: the file, and the number of the word in it.
    pub(super) fn clues(&self) -> Vec<(&'static str, OsString)> {
        vec![("futex", self.image.clone().into()), ("word", self.number.to_string().into())]
    }
}

/// Tries until something is so. `false`: it never was.
pub(super) fn comes_true(mut so: impl FnMut() -> io::Result<bool>) -> io::Result<bool> {
    for _ in 0..TRIES {
        if so()? {
            return Ok(true);
        }
        thread::sleep(PAUSE);
    }
    Ok(false)
}

/// A thread that sleeps at the word.
pub(super) fn sleeper(word: &'static AtomicU32) -> io::Result<JoinHandle<io::Result<()>>> {
    thread::Builder::new().spawn(move || wait(word))
}

/// Wakes one who waits at the word, and says how many were woken.
///
/// # Errors
/// The errno of futex(2).
#[cfg(target_os = "linux")]
pub(super) fn wake(word: &AtomicU32) -> io::Result<i64> {
    let arguments = [word.as_ptr() as usize, libc::FUTEX_WAKE as usize, 1, 0, 0, 0];
    raw::call(libc::SYS_futex, arguments)
}

/// Sleeps at the word until it is woken.
///
/// # Errors
/// The errno of futex(2): `ETIMEDOUT` after half a minute, which is longer than any trial takes.
#[cfg(target_os = "linux")]
pub(super) fn wait(word: &AtomicU32) -> io::Result<()> {
    let value = word.load(Ordering::SeqCst) as usize;
    let limit = [30_i64, 0];
    let arguments =
        [word.as_ptr() as usize, libc::FUTEX_WAIT as usize, value, limit.as_ptr() as usize, 0, 0];
    raw::call(libc::SYS_futex, arguments).map(|_woken| ())
}

/// Wakes one who waits at the word, and says how many were woken.
///
/// # Errors
/// The errno of the call.
#[cfg(target_os = "macos")]
pub(super) fn wake(word: &AtomicU32) -> io::Result<i64> {
    raw::address::wake(word).map(i64::from)
}

/// Sleeps at the word until it is woken.
///
/// # Errors
/// The errno of the call: `ETIMEDOUT` after half a minute, which is longer than any trial takes.
#[cfg(target_os = "macos")]
fn wait(word: &AtomicU32) -> io::Result<()> {
    raw::address::wait(word, word.load(Ordering::SeqCst), Duration::from_secs(30))
}
