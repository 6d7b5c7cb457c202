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
use reports::record::Finish;
use std::ffi::{OsStr, OsString};
use std::io::Write;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::Path;
use std::{fmt, io};

/// The text that stands for the run directory in the path and the arguments of a [`Program`].
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
    /// Modules that the interpreter may have been built or installed without. Python work that ends
    /// bare by not finding one of them is not applicable to this host.
    pub may_lack: &'static [&'static str],
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
    Program(Program),
}

/// A program of the host, as its users start it.
#[derive(Clone, Copy, Debug)]
pub struct Program {
    /// Its absolute path, which may begin with [`RUN`] if `prepare` writes it, or its name on the
    /// standard path.
    pub path: &'static str,
    /// Its arguments; each may hold [`RUN`].
    pub arguments: &'static [&'static str],
    /// Furnishes the run directory, before the program is looked at.
    pub prepare: Option<fn(run: &Path) -> io::Result<()>>,
    /// Files that it may read beside what it needs to start, where they exist.
    pub reads: &'static [&'static str],
    /// How it must end.
    pub end: Finish,
    /// How else it may end under a sandbox that refuses it a part of its work, a second process for
    /// instance: at once, in words of its own, and with everything as `check` wants it.
    pub refused: &'static [Finish],
}

impl Program {
    /// A program without content that must end with 0, to be completed by `..Program::BLANK`.
    pub const BLANK: Self = Self {
        path: "",
        arguments: &[],
        prepare: None,
        reads: &[],
        end: Finish::Exited(0),
        refused: &[],
    };
}

impl UsefulWork {
    /// Work without content, to be completed by `..UsefulWork::BLANK`.
    pub const BLANK: Self = Self {
        id: "",
        summary: "",
        also_needs: &[],
        may_lack: &[],
        hook: true,
        work: Work::Python(""),
        check: None,
    };

    /// What the host must have for the work to be possible at all, a program of the host included.
    pub fn needs(&self) -> Vec<Need> {
        let mut needs = self.also_needs.to_vec();
        match self.work {
            Work::Program(Program { path, .. }) if path.starts_with(RUN) => {}
            Work::Program(Program { path, .. }) if path.starts_with('/') => {
                needs.push(Need::File(path));
            }
            Work::Program(Program { path, .. }) => needs.push(Need::Program(path)),
            Work::Native(_) | Work::Python(_) => {}
        }
        needs
    }

    /// Whether the program ended as work that is done ends, or, if `confined`, as it may. A sandbox
    /// whose first process waits for the program passes a signal on as shells do, as 128 and its number.
    pub fn ends(&self, finish: Finish, confined: bool) -> bool {
        match &self.work {
            Work::Native(_) | Work::Python(_) => finish == Finish::Exited(0),
            Work::Program(program) => {
                let told = match program.end {
                    Finish::Signalled(signal) => Finish::Exited(128 + signal),
                    end @ (Finish::NotStarted
                    | Finish::Exited(_)
                    | Finish::TimedOut
                    | Finish::OutputCapped
                    | Finish::QuotaExceeded
                    | Finish::CpuTimeExceeded) => end,
                };
                let may_be = || finish == told || program.refused.contains(&finish);
                finish == program.end || (confined && may_be())
            }
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
            // For people: a record keeps the end of this stream.
            writeln!(io::stderr(), "{error}")?;
            Err(error)
        }
    }
}

/// A path or argument of a [`Program`] for this run directory: [`RUN`] replaced, wherever it
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
            let work = Work::Program(Program { path, ..Program::BLANK });
            UsefulWork { work, also_needs: &[Need::Linux], ..UsefulWork::BLANK }.needs()
        };
        assert_eq!(needs("git"), [Need::Linux, Need::Program("git")]);
        assert_eq!(needs("/bin/true"), [Need::Linux, Need::File("/bin/true")]);
        assert_eq!(needs("{run}/image"), [Need::Linux]);
    }

    #[test]
    fn a_program_may_end_by_a_refusal_under_a_sandbox_and_nowhere_else() {
        let (end, refused) = (Finish::Signalled(13), &[Finish::Exited(128)]);
        let work = Work::Program(Program { end, refused, ..Program::BLANK });
        let work = UsefulWork { work, ..UsefulWork::BLANK };
        assert!(work.ends(end, false) && work.ends(end, true));
        assert!(work.ends(Finish::Exited(128), true) && !work.ends(Finish::Exited(128), false));
        assert!(work.ends(Finish::Exited(141), true) && !work.ends(Finish::Exited(141), false));
        assert!(!work.ends(Finish::Exited(0), true) && !work.ends(Finish::Exited(13), true));
        let python = UsefulWork::BLANK;
        assert!(python.ends(Finish::Exited(0), true) && !python.ends(Finish::Exited(1), true));
    }
}
