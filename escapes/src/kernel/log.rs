//! Read the log of the kernel: it tells of devices, of crashes with addresses, and of other sandboxes.

use crate::raw;
use fixtures::decoy::{Decoy, Placed, Site};
use fixtures::watch::looking::{Looking, Question};
use harness::escape::{Escape, Layer, Need};
use harness::scene::Scene;
use harness::twin::Twin;
use std::fs::OpenOptions;
use std::io::{self, Read};
use std::os::unix::fs::OpenOptionsExt;

const LOG: Escape = Escape {
    techniques: &["KP-MODULES"],
    references: &["https://man7.org/linux/man-pages/man2/syslog.2.html", "CWE-532"],
    decoys: &[&Log],
    twin: Twin::OwnFile,
    native: Some(read),
    ..Escape::BLANK
};

const RESTRICTION: &str = "/proc/sys/kernel/dmesg_restrict";

pub(super) const ESCAPES: &[Escape] = &[
    Escape {
        id: "kernel/log",
        summary: "Read the log of the kernel, which is for the privileged, by a call that opens no file",
        needs: &[
            Need::Capability(34, "CAP_SYSLOG"),
            Need::File("/dev/kmsg"),
            Need::Setting(RESTRICTION, "1"),
        ],
        stops: &[Layer::Seccomp, Layer::Hygiene],
        witnesses: &["hygiene/capabilities", "seccomp/syslog"],
        ..LOG
    },
    Escape {
        id: "kernel/log.open",
        summary: "Read the log of the kernel, which is for everybody, by a call that opens no file",
        needs: &[Need::File("/dev/kmsg"), Need::Setting(RESTRICTION, "0")],
        stops: &[Layer::Seccomp],
        witnesses: &["seccomp/syslog"],
        ..LOG
    },
];

/// The longest line is told: it is the least likely to be guessed.
fn read(scene: &Scene) -> io::Result<Vec<u8>> {
    /// `SYSLOG_ACTION_READ_ALL`.
    const ALL: usize = 3;
    let mut log = vec![0; 1 << 20];
    let length = raw::call(libc::SYS_syslog, [ALL, log.as_mut_ptr() as usize, log.len(), 0, 0, 0])?;
    log.truncate(usize::try_from(length).map_err(io::Error::other)?);
    let log = String::from_utf8_lossy(&log);
    let messages = log.lines().filter_map(|line| Some(line.split_once("] ")?.1));
    let longest = messages.filter(|message| message.len() < LONGEST).max_by_key(|line| line.len());
    scene.show(&format!("log {}", longest.unwrap_or_default()))?;
    Ok(Vec::new())
}

/// Bytes of a line that may be told: a word of the program must not be longer than what is listened to.
const LONGEST: usize = 500;
/// Bytes of a line that nobody guesses.
const SHORTEST: usize = 16;

/// Claim `log TEXT`, compared with what stands in the log.
#[derive(Debug)]
struct Log;

impl Decoy for Log {
    fn place(&self, _site: &Site<'_>) -> io::Result<Box<dyn Placed>> {
        Ok(Box::new(Looking::new(Reader)))
    }
}

#[derive(Debug)]
struct Reader;

/// The messages of the log. Each read gives one record, whose text follows a semicolon.
fn messages() -> io::Result<Vec<String>> {
    let mut file =
        OpenOptions::new().read(true).custom_flags(libc::O_NONBLOCK).open("/dev/kmsg")?;
    let mut messages = Vec::new();
    loop {
        let mut record = [0; 1 << 13];
        let length = match file.read(&mut record) {
            Ok(length) => length,
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => return Ok(messages),
            // A record that was overwritten meanwhile.
            Err(error) if error.raw_os_error() == Some(libc::EPIPE) => continue,
            Err(error) => return Err(error),
        };
        let record = String::from_utf8_lossy(record.get(..length).unwrap_or_default()).into_owned();
        let text = record.split_once(';').and_then(|(_, text)| text.lines().next());
        messages.extend(text.map(str::to_owned));
    }
}

impl Question for Reader {
    fn look(&mut self, _nonce: &str, claim: &str) -> io::Result<Option<String>> {
        let Some(told) = claim.strip_prefix("log ").filter(|told| told.len() >= SHORTEST) else {
            return Ok(None);
        };
        let known = messages()?.iter().any(|message| message == told);
        Ok(known.then(|| "the program knows a line of the kernel's log".to_owned()))
    }
}
