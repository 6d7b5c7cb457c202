//! Linux. What an engine leaves of a launch beside the program: the bundle's folder, and what it tells there.

use super::engine::Engine;
use super::{LOG, podman};
use crate::child::Exit;
use crate::events::printable;
use crate::policy::Bound;
use crate::temporary::Temporary;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use std::path::{Path, PathBuf};

/// The largest part of a log that is looked at.
const LARGEST: usize = 1 << 16;

/// The bundle of one launch, what bounds the program alone, and the folder that goes with it where the host has none for it.
#[derive(Debug)]
pub(crate) struct Traces {
    pub(super) engine: Engine,
    pub(super) bundle: PathBuf,
    pub(super) cpu_seconds: Bound,
    pub(super) _goes_with_it: Option<Temporary>,
}

/// One line of a log, as `crun` and `runc` write it with `--log-format=json`.
#[derive(Debug, Deserialize)]
struct Line {
    level: String,
    msg: String,
}

/// The first failure that a runtime tells of in its log. It writes there before and after a program, never
/// because of how one ends; without it, its own exit status would pass for the program's.
pub(super) fn failure(log: &Path) -> Option<String> {
    let lines: Vec<Line> = values(log);
    let failure = lines.iter().find(|line| line.level == "error" || line.level == "fatal")?;
    Some(printable(failure.msg.as_bytes()))
}

/// The JSON values in a file up to the first that is none: nothing where there is no file.
pub(super) fn values<Value: DeserializeOwned>(file: &Path) -> Vec<Value> {
    let read = std::fs::read(file).unwrap_or_default();
    let read = read.get(..LARGEST).unwrap_or(&read);
    serde_json::Deserializer::from_slice(read).into_iter().map_while(Result::ok).collect()
}

impl Traces {
    /// Why this exit of the launch is not the end of a program.
    pub(crate) fn complaint(&self, exit: Exit) -> Option<String> {
        match self.engine {
            Engine::Direct(_) => failure(&self.bundle.join(LOG)),
            Engine::Podman(_) => podman::complaint(&self.bundle, exit),
        }
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
    use crate::container::Runtime;

    #[test]
    fn a_failure_in_a_log_is_told_and_a_warning_is_not() {
        let folder = tempfile::tempdir().unwrap();
        let traces = Traces {
            engine: Engine::Direct(Runtime::Crun),
            bundle: folder.path().to_owned(),
            cpu_seconds: Bound::Unlimited,
            _goes_with_it: None,
        };
        let complaint = || traces.complaint(Exit::Code(0));
        let log = folder.path().join(LOG);
        assert_eq!(complaint(), None);
        std::fs::write(&log, r#"{"msg":"odd","level":"warning","time":"now"}"#).unwrap();
        assert_eq!(complaint(), None);
        // crun ends no line.
        let lines = r#"{"msg":"odd","level":"warning"}{"msg":"broken\u001b","level":"error"}"#;
        std::fs::write(&log, lines).unwrap();
        assert_eq!(complaint().as_deref(), Some("broken\\x1b"));
    }
}
