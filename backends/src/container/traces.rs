//! Linux. What a runtime leaves of a launch beside the program: the bundle's folder, and its log.

use crate::child::Exit;
use crate::events::printable;
use crate::policy::Bound;
use serde::Deserialize;
use std::path::PathBuf;

/// The largest part of a log that is looked at.
const LARGEST: usize = 1 << 16;

/// The log of one launch, what bounds the program alone, and the folder that goes with it where the host has none for it.
#[derive(Debug)]
pub(crate) struct Traces {
    pub(super) log: PathBuf,
    pub(super) cpu_seconds: Bound,
    pub(super) _goes_with_it: Option<tempfile::TempDir>,
}

/// One line of a log, as `crun` and `runc` write it with `--log-format=json`.
#[derive(Debug, Deserialize)]
struct Line {
    level: String,
    msg: String,
}

impl Traces {
    /// The first failure that the runtime tells of. It writes there before and after a program, never
    /// because of how one ends; without it, its own exit status would pass for the program's.
    pub(crate) fn complaint(&self) -> Option<String> {
        let log = std::fs::read(&self.log).ok()?;
        let log = log.get(..LARGEST).unwrap_or(&log);
        serde_json::Deserializer::from_slice(log)
            .into_iter::<Line>()
            .map_while(Result::ok)
            .find(|line| line.level == "error" || line.level == "fatal")
            .map(|line| printable(line.msg.as_bytes()))
    }

    /// How a program ended whose runtime says it by its own exit status: 128 and the number of the signal. A
    /// program that exits with such a code reads as one that was killed.
    pub(crate) fn exit(&self, exit: Exit) -> Exit {
        match exit {
            Exit::Code(code @ 129..=192) => Exit::Signal(code - 128),
            Exit::Code(_) | Exit::Signal(_) => exit,
        }
    }

    /// The bound of the program's CPU time; the launcher itself has none.
    pub(crate) fn cpu_seconds(&self) -> Bound {
        self.cpu_seconds
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_in_a_log_is_told_and_a_warning_is_not() {
        let folder = tempfile::tempdir().unwrap();
        let log = folder.path().join("log");
        let traces =
            Traces { log: log.clone(), cpu_seconds: Bound::Unlimited, _goes_with_it: None };
        assert_eq!(traces.complaint(), None);
        std::fs::write(&log, r#"{"msg":"odd","level":"warning","time":"now"}"#).unwrap();
        assert_eq!(traces.complaint(), None);
        // crun ends no line.
        let lines = r#"{"msg":"odd","level":"warning"}{"msg":"broken\u001b","level":"error"}"#;
        std::fs::write(&log, lines).unwrap();
        assert_eq!(traces.complaint().as_deref(), Some("broken\\x1b"));
    }
}
