//! Linux. Whom the kernel ends when memory runs out. A launcher that its owner spares from that, by a negative
//! `oom_score_adj`, would hand the privilege on: the kernel would spare the program and end somebody else for the
//! memory that it took. So a program is given up to an ordinary score, and keeps one that is higher.

use super::LaunchError;
use crate::protection::{Protection, Reason, Unavailable};
use std::fs;
use std::io;

/// The score of this process, proc_pid_oom_score_adj(5): it and its children inherit it.
const OWN: &str = "/proc/self/oom_score_adj";

/// Whether this process is spared more than an ordinary one.
///
/// # Errors
/// When that cannot be found out.
pub(super) fn is_spared() -> Result<bool, Unavailable> {
    let score = fs::read_to_string(OWN).and_then(|text| {
        text.trim()
            .parse::<i32>()
            .map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))
    });
    score.map(|score| score < 0).map_err(|error| Unavailable {
        protection: Protection::OtherProcesses,
        call: "read(\"/proc/self/oom_score_adj\")",
        reason: Reason::Call(error),
        remedy: "mount /proc where the launcher runs",
    })
}

/// Takes the privilege from a program that has executed. Before that it shares the memory of its launcher, and
/// the kernel gives all who share memory one score (`__set_oom_adj`).
///
/// # Errors
/// When the score cannot be written. A program that is dead already is no error.
pub(super) fn end_privilege(pid: i32) -> Result<(), LaunchError> {
    match fs::write(format!("/proc/{pid}/oom_score_adj"), "0") {
        Err(error) if error.raw_os_error() == Some(libc::ESRCH) => Ok(()),
        written => written.map_err(LaunchError::resource("write(\"/proc/PID/oom_score_adj\")")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::command::{Command, Input};
    use crate::enforcement::Enforcement;
    use crate::launch::Prepared;
    use crate::policy::Limits;

    fn score(process: &str) -> String {
        fs::read_to_string(format!("/proc/{process}/oom_score_adj")).unwrap().trim().to_owned()
    }

    /// To be spared needs `CAP_SYS_RESOURCE`. To be ended first needs nothing, and shows as well whether the
    /// program alone gets another score.
    #[test]
    fn a_program_gets_an_ordinary_score_and_its_launcher_keeps_its_own() {
        let before = score("self");
        fs::write(OWN, "300").unwrap();
        let folder = tempfile::tempdir().unwrap();
        let mut prepared = Prepared::new(Enforcement::bare(Limits::default())).unwrap();
        for (is_spared, expected) in [(false, "300"), (true, "0")] {
            prepared.is_spared = is_spared;
            let mut command = Command::new("/bin/cat", folder.path());
            command.input = Input::Fed;
            let mut child = prepared.launch(command).unwrap();
            assert_eq!(score(&child.id().to_string()), expected);
            assert_eq!(score("self"), "300");
            child.close_input();
            child.wait().unwrap();
        }
        fs::write(OWN, before).unwrap();
    }
}
