//! Where programs are tried: one world for a number of programs, a confinement, and the look from outside
//! when all of them are done. This is the property: nothing is seen.

use super::interpret::{NAME, PROGRAMS};
use super::program::Program;
use crate::ipc::keyring::Key;
use crate::ipc::sysv::{Kind, Object};
use backends::backend::Confinement;
use fixtures::decoy::{Decoy, Evidence};
use fixtures::watch::{
    abstract_name, held, inherited, mqueue, process, shm, state, tcp, udp, unix, victim,
};
use fixtures::world::{BuildError, ObserveError, World};
use harness::part;
use harness::performance::PerformanceError;
use harness::setting::Setting;
use std::io;

/// A decoy of the search: what it is in a source text, and which words need it.
pub(super) struct Furniture {
    pub(super) decoy: &'static dyn Decoy,
    /// The path that a source text uses.
    pub(super) path: &'static str,
    /// What it is called there.
    pub(super) name: &'static str,
    /// The clue that it gives, or what it looks at.
    pub(super) clue: &'static str,
}

/// One piece for each decoy of `fixtures::watch`.
macro_rules! watched {
    ($($module:ident :: $name:ident $clue:literal),* $(,)?) => {
        &[
            $(Furniture {
                decoy: $module::$name,
                path: concat!("fixtures::watch::", stringify!($module), "::", stringify!($name)),
                name: stringify!($name),
                clue: $clue,
            },)*
            Furniture { decoy: &Object(Kind::Memory), path: SYSV, name: "&Object(Kind::Memory)", clue: "memory-key" },
            Furniture { decoy: &Object(Kind::Queue), path: SYSV, name: "&Object(Kind::Queue)", clue: "queue-key" },
            Furniture { decoy: &Object(Kind::Semaphore), path: SYSV, name: "&Object(Kind::Semaphore)", clue: "semaphore-key" },
            Furniture { decoy: &Key, path: "crate::ipc::keyring::Key", name: "&Key", clue: "key" },
        ]
    };
}

const SYSV: &str = "crate::ipc::sysv::{Kind, Object}";

/// Everything that the world of a search holds beside the standard tree.
pub(super) const FURNITURE: &[Furniture] = watched![
    tcp::TCP4 "tcp4",
    tcp::TCP6 "tcp6",
    udp::UDP4 "udp4",
    udp::UDP6 "udp6",
    unix::UNIX_STREAM "unix-stream",
    unix::UNIX_DATAGRAM "unix-datagram",
    unix::UNIX_SEQPACKET "unix-seqpacket",
    abstract_name::ABSTRACT_STREAM "abstract-stream",
    abstract_name::ABSTRACT_DATAGRAM "abstract-datagram",
    inherited::INHERITED_SECRET "inherited-secret",
    inherited::INHERITED_SECRET_HIGH "inherited-secret-high",
    inherited::INHERITED_WRITE "inherited-write",
    inherited::INHERITED_DIRECTORY "inherited-directory",
    inherited::INHERITED_PATH_FD "inherited-path-fd",
    inherited::INHERITED_PIPE_READ "inherited-pipe-read",
    inherited::INHERITED_PIPE_WRITE "inherited-pipe-write",
    inherited::INHERITED_SOCKET "inherited-socket",
    inherited::INHERITED_LISTENER "inherited-listener",
    victim::VICTIM "victim",
    process::MARKER "marker-a",
    shm::SHM_DEV "shm-path",
    mqueue::MQUEUE "mqueue",
    held::HELD_DESCRIPTOR "held descriptor",
    held::HELD_SOCKET "held socket",
    state::NAMESPACE "state",
    state::PERSONALITY "state",
    state::ROOT "state",
];

/// A place to try programs, under one confinement.
#[derive(Debug)]
pub struct Ground<'a> {
    setting: &'a Setting,
    confinement: &'a dyn Confinement,
    decoys: Vec<&'static dyn Decoy>,
    /// The decoys that this host has no place for, with the reason.
    pub lacks: Vec<String>,
}

/// What was seen of some programs.
#[derive(Debug, Default)]
pub struct Seen {
    /// Every effect.
    pub evidence: Vec<Evidence>,
    /// Operations that were tried.
    pub tried: u64,
    /// Operations that succeeded, whatever that means.
    pub succeeded: u64,
    /// Programs that ended the process which carried them out.
    pub ended: u64,
}

/// Why nothing can be said of some programs.
#[derive(Debug, thiserror::Error)]
pub enum LookError {
    /// The world could not be built.
    #[error("build the world: {0}")]
    Build(#[from] BuildError),
    /// The programs could not be laid into the run directory.
    #[error("write {PROGRAMS:?} into the run directory: {0}")]
    Write(io::Error),
    /// The interpreter could not be launched or followed.
    #[error(transparent)]
    Part(#[from] PerformanceError),
    /// A watcher is broken.
    #[error("look at the world: {0}")]
    Look(#[from] ObserveError),
    /// The interpreter did not carry out a program: nothing was seen because nothing was done.
    #[error("program {number} was never begun, so that it proves nothing that nothing was seen")]
    Silent {
        /// Which of those that were to be tried.
        number: usize,
    },
    /// The interpreter could not do the permitted neighbour.
    #[error("the interpreter could not read and write in its own directory")]
    Twin,
    /// Something was left that could not be searched or removed.
    #[error("left behind: {}", .0.join("; "))]
    Swept(Vec<String>),
}

impl<'a> Ground<'a> {
    /// Finds out which decoys this host has a place for.
    ///
    /// # Errors
    /// When no world can be built for another reason than a decoy.
    pub fn new(setting: &'a Setting, confinement: &'a dyn Confinement) -> Result<Self, LookError> {
        let mut ground = Self {
            setting,
            confinement,
            decoys: FURNITURE.iter().map(|furniture| furniture.decoy).collect(),
            lacks: Vec::new(),
        };
        loop {
            match World::build(&setting.base, &ground.decoys, &setting.helper()) {
                Ok(world) => {
                    swept(world.sweep())?;
                    return Ok(ground);
                }
                Err(BuildError::Decoy { decoy, source }) => {
                    let before = ground.decoys.len();
                    ground.decoys.retain(|known| format!("{known:?}") != decoy);
                    ground.lacks.push(format!("{decoy}: {source}"));
                    if ground.decoys.len() == before {
                        return Err(BuildError::Decoy { decoy, source }.into());
                    }
                }
                Err(other) => return Err(other.into()),
            }
        }
    }

    /// Tries programs one after the other in a fresh world, and looks when all are done.
    ///
    /// # Errors
    /// When nothing seen would not mean that nothing happened.
    pub fn look(&self, programs: &[Program]) -> Result<Seen, LookError> {
        let helper = self.setting.helper();
        let mut world = World::build(&self.setting.base, &self.decoys, &helper)?;
        let text: Vec<String> = programs.iter().map(Program::to_string).collect();
        std::fs::write(world.run().join(PROGRAMS), text.join("\n")).map_err(LookError::Write)?;
        let mut seen = Seen::default();
        let mut emissions = Vec::new();
        let mut next = 0;
        while next < programs.len() {
            let from = [("from", next.to_string().into())];
            let heard = part::play(self.setting, self.confinement, &mut world, NAME, &from)?;
            let begun = seen.hear(&heard.words);
            emissions.extend([heard.output, heard.error]);
            match begun {
                Some(last) if last >= next => next = last + 1,
                Some(_) | None => {
                    // It may be that what was done hinders what comes.
                    seen.evidence = world.conclude(&borrowed(&emissions))?.evidence;
                    return if seen.evidence.is_empty() {
                        Err(LookError::Silent { number: next })
                    } else {
                        Ok(seen)
                    };
                }
            }
        }
        let twin = world.twin_proved("before");
        let conclusion = world.conclude(&borrowed(&emissions))?;
        let left = world.sweep();
        seen.evidence = conclusion.evidence;
        if seen.evidence.is_empty() {
            swept(conclusion.findings.into_iter().chain(left).collect())?;
            if !twin {
                return Err(LookError::Twin);
            }
        }
        Ok(seen)
    }
}

impl Seen {
    /// Counts what was said, and returns the last program that was begun.
    fn hear(&mut self, words: &[String]) -> Option<usize> {
        let mut last = None;
        let mut done = None;
        for word in words {
            let parts: Vec<&str> = word.split(' ').collect();
            match parts.as_slice() {
                ["program", number] => last = number.parse().ok().or(last),
                ["done", number, tried, succeeded] => {
                    done = number.parse().ok();
                    self.tried += tried.parse::<u64>().unwrap_or(0);
                    self.succeeded += succeeded.parse::<u64>().unwrap_or(0);
                }
                _other => {}
            }
        }
        self.ended += u64::from(last.is_some() && last != done);
        last
    }
}

fn borrowed(emissions: &[Vec<u8>]) -> Vec<&[u8]> {
    emissions.iter().map(Vec::as_slice).collect()
}

fn swept(left: Vec<String>) -> Result<(), LookError> {
    if left.is_empty() { Ok(()) } else { Err(LookError::Swept(left)) }
}
