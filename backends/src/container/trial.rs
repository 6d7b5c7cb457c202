//! Linux. Whether an engine works on this host, seen from inside: a shell in a container looks for what must
//! not be there. One that cannot start is unavailable, and so is one that leaves out what it was told.

use super::Contained;
use super::engine::{Absent, Installed};
use crate::backend::Confinement;
use crate::child::{Child, Ended, Event, Exit, WaitError};
use crate::command::Command;
use crate::launch::LaunchError;
use crate::linux::discover::{self, DiscoverError};
use crate::policy::{Bound, GrantError, Limits, Policy};
use crate::protection::Unavailable;
use crate::temporary::Temporary;
use std::ffi::OsStr;
use std::io;
use std::path::Path;

/// How long it may take.
const PATIENCE: Bound = Bound::At(30_000);

/// What the shell writes once it has looked, before it tries to start a process: it may end with that.
const LOOKED: &str = "looked";

/// The status of a shell that started a process.
const STARTED: i32 = 55;

/// With builtins alone, since the filter lets no process start. `$1` is outside and exists.
const LOOKS: &str = "
true 2>/dev/null > /written && exit 51
true 2>/dev/null > /dev/written && exit 52
[ -e \"$1\" ] && exit 53
[ \"$$\" = 1 ] || exit 54
printf looked > looked || exit 50
(exit 0) && exit 55
exit 0
";

/// Why an engine is not used.
#[derive(Debug, thiserror::Error)]
pub(super) enum Why {
    #[error(transparent)]
    Absent(#[from] Absent),
    #[error("mkdtemp: {0}")]
    Folder(io::Error),
    #[error(transparent)]
    Shell(#[from] DiscoverError),
    #[error(transparent)]
    Grant(#[from] GrantError),
    #[error(transparent)]
    Unavailable(#[from] Unavailable),
    #[error(transparent)]
    Launch(#[from] LaunchError),
    #[error("{source}: {said:?}")]
    Follow { source: WaitError, said: String },
    #[error("a container lets its program do what it must not ({0})")]
    Leaks(&'static str),
    #[error("a container with a shell ended with {exit:?}: {said:?}")]
    Ended { exit: Exit, said: String },
}

/// Makes one container and looks around in it.
pub(super) fn try_out(installed: &Installed, searched: &OsStr) -> Result<(), Why> {
    let folder = Temporary::make("trial").map_err(Why::Folder)?;
    let real = folder.path().canonicalize().map_err(Why::Folder)?;
    let (run, outside) = (real.join("run"), real.join("outside"));
    std::fs::create_dir(&run).map_err(Why::Folder)?;
    std::fs::write(&outside, "").map_err(Why::Folder)?;
    let needs = discover::program(Path::new("sh"), searched)?;
    let limits = Limits { wall_clock_milliseconds: PATIENCE, ..Limits::default() };
    let mut builder = Policy::builder().limits(limits).devices()?;
    for path in &needs.read {
        builder = builder.read(path)?;
    }
    for path in &needs.execute {
        builder = builder.execute(path)?;
    }
    let contained = Contained::new(installed.clone(), &builder.build()?)?;
    let mut command = Command::new(&needs.image, &run);
    command.bundle = Some(real.join("bundle"));
    command.arguments = vec!["-c".into(), LOOKS.into(), "sh".into(), outside.into()];
    let (ended, said) = follow(contained.launch(command)?)?;
    let looked = std::fs::read_to_string(run.join(LOOKED)).is_ok_and(|text| text == LOOKED);
    match ended.exit {
        Exit::Code(51) => Err(Why::Leaks("write its root")),
        Exit::Code(52) => Err(Why::Leaks("write /dev")),
        Exit::Code(53) => Err(Why::Leaks("see a file outside")),
        Exit::Code(54) => Err(Why::Leaks("see processes outside")),
        Exit::Code(STARTED) => Err(Why::Leaks("start a process")),
        // However a shell ends that may not start a process.
        Exit::Code(_) if looked && ended.cause.is_none() => Ok(()),
        exit @ (Exit::Code(_) | Exit::Signal(_)) => Err(Why::Ended { exit, said }),
    }
}

/// The end, and the beginning of what is said on standard error: there an engine says why it failed, too.
fn follow(mut child: Child) -> Result<(Ended, String), Why> {
    let mut error = Vec::new();
    let said = |error: &[u8]| String::from_utf8_lossy(error).chars().take(300).collect();
    loop {
        match child.next_event() {
            Ok(Event::Output(_)) => (),
            Ok(Event::Error(bytes)) => error.extend(bytes),
            Ok(Event::Ended(ended)) => return Ok((ended, said(&error))),
            Err(source) => return Err(Why::Follow { source, said: said(&error) }),
        }
    }
}
