//! Useful work: a program that must run unharmed under the policy. Over-denial is a defect as much as
//! an escape is, for users switch off a sandbox that breaks their work.
//!
//! Work is believed for what is seen from outside. A native or Python program ends by leaving the
//! neighbour token of its world as `proof-before` in the run directory, as a twin does; any work may
//! have a check of what it wrote.

use crate::escape::Need;
use crate::scene::Scene;
use crate::stage::Part;
use crate::twin;
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::Path;
use std::{fmt, io};

/// The text that stands for the run directory in the path and the arguments of a [`Work::Program`].
pub const RUN: &str = "{run}";

/// The moment of the proof: `run/proof-before`.
const MOMENT: &str = "before";

/// One piece of useful work.
#[derive(Clone, Copy)]
pub struct UsefulWork {
    /// Stable name, never reused: `useful/threads`.
    pub id: &'static str,
    /// What it does, in one sentence without a full stop.
    pub summary: &'static str,
    /// What the host must have beside the program itself: see [`UsefulWork::needs`].
    pub also_needs: &'static [Need],
    /// Whether Python work must be unharmed under the audit hook too.
    pub hook: bool,
    /// The work.
    pub work: Work,
    /// What else must be seen from outside when it has ended. Without one, the proof alone counts.
    pub check: Option<Check>,
}

/// Looks at the run directory and at all that the program wrote to standard output, which for native
/// and Python work holds the lines of the stage's protocol too. The text says what is wrong.
pub type Check = fn(run: &Path, stdout: &[u8]) -> Result<(), String>;

/// What kind of program does the work, and how.
#[derive(Clone, Copy, Debug)]
pub enum Work {
    /// Machine code of the stage: the part that `--stage ID` plays, made with [`perform`].
    Native(Part),
    /// Python text that defines `work(scene)`, to follow the text of the stage and to be followed by
    /// `_work(work)`.
    Python(&'static str),
    /// A program of the host.
    Program {
        /// Its absolute path; it may begin with [`RUN`] if `prepare` writes it.
        path: &'static str,
        /// Its arguments; each may hold [`RUN`].
        arguments: &'static [&'static str],
        /// Furnishes the run directory, before the program is looked at.
        prepare: Option<fn(run: &Path) -> io::Result<()>>,
        /// The exit code that it must end with.
        exit: i32,
    },
}

impl UsefulWork {
    /// Work without content, to be completed by `..UsefulWork::BLANK`.
    pub const BLANK: Self = Self {
        id: "",
        summary: "",
        also_needs: &[],
        hook: true,
        work: Work::Python(""),
        check: None,
    };

    /// What the host must have for the work to be possible at all, a program of the host included.
    pub fn needs(&self) -> Vec<Need> {
        let mut needs = self.also_needs.to_vec();
        match self.work {
            Work::Program { path, .. } if !path.starts_with(RUN) => needs.push(Need::File(path)),
            Work::Program { .. } | Work::Native(_) | Work::Python(_) => {}
        }
        needs
    }

    /// The exit code of work that is done.
    pub fn exit(&self) -> i32 {
        match self.work {
            Work::Native(_) | Work::Python(_) => 0,
            Work::Program { exit, .. } => exit,
        }
    }
}

impl fmt::Debug for UsefulWork {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("UsefulWork").field("id", &self.id).finish_non_exhaustive()
    }
}

/// Plays native work: does it, leaves the proof, and says `work ok` or `work` and the error.
///
/// # Errors
/// The error of the work or of its proof, which the stage turns into an exit code.
pub fn perform(scene: &Scene, work: fn(&Scene) -> io::Result<()>) -> io::Result<()> {
    scene.say("started")?;
    match work(scene).and_then(|()| twin::prove(scene, MOMENT)) {
        Ok(()) => scene.say("work ok"),
        Err(error) => {
            scene.say(&format!("work {error}"))?;
            Err(error)
        }
    }
}

/// A path or argument of a [`Work::Program`] for this run directory: [`RUN`] replaced, wherever it
/// stands.
pub fn in_run(text: &str, run: &Path) -> OsString {
    let mut parts = text.split(RUN);
    let mut bytes = parts.next().unwrap_or_default().as_bytes().to_vec();
    for part in parts {
        bytes.extend_from_slice(OsStr::as_bytes(run.as_os_str()));
        bytes.extend_from_slice(part.as_bytes());
    }
    OsString::from_vec(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_run_directory_is_put_in_wherever_it_is_named_whatever_its_bytes() {
        let run = Path::new(OsStr::from_bytes(b"/w\xff"));
        assert_eq!(in_run("{run}/a:{run}", run).as_bytes(), b"/w\xff/a:/w\xff");
        assert_eq!(in_run("{run", run).as_bytes(), b"{run");
    }

    #[test]
    fn a_program_of_the_host_is_needed_and_one_that_is_prepared_is_not() {
        let needs = |path| {
            let work = Work::Program { path, arguments: &[], prepare: None, exit: 3 };
            let work = UsefulWork { work, also_needs: &[Need::Linux], ..UsefulWork::BLANK };
            assert_eq!(work.exit(), 3);
            work.needs()
        };
        assert_eq!(needs("/bin/true"), [Need::Linux, Need::File("/bin/true")]);
        assert_eq!(needs("{run}/image"), [Need::Linux]);
    }
}
