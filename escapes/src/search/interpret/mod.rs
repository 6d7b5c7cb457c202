//! The inside of the search: carries out programs, one operation after the other, and emits what it
//! reads. It hides nothing and decides nothing; what happened is seen from outside.

mod memory;
mod paths;
mod special;

use super::calls::{Argument, Fixed, Gives, Kind, Shows};
use super::program::{Operation, Program};
use super::words::{LAST, WORKING, Word};
use crate::exec::marker;
use crate::raw;
use harness::scene::Scene;
use harness::twin;
use memory::Memory;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::io;
use std::os::fd::{AsRawFd, OwnedFd};
use std::path::{Path, PathBuf};

/// Its name on the stage.
pub(crate) const NAME: &str = "search";

/// The file of the run directory that holds the programs.
pub(super) const PROGRAMS: &str = "programs";

/// How long a descriptor is waited for that has nothing to read yet, in nanoseconds.
const PATIENCE: u64 = 50_000_000;

/// Carries out the programs of the run directory, from the clue `from` on, and says of each when it
/// begins and when it is done.
///
/// # Errors
/// When a program cannot even begin; none after it was begun either.
pub(crate) fn stage(scene: &Scene, _arguments: &[OsString]) -> io::Result<()> {
    twin::prove(scene, "before")?;
    let text = fs::read_to_string(scene.run().join(PROGRAMS))?;
    let programs = Program::parse_all(&text)
        .map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))?;
    scene.show("baseline")?;
    for (number, program) in programs.iter().enumerate().skip(scene.number("from")?) {
        let mut machine = Machine::new(scene, &format!("p{number}"))?;
        scene.say(&format!("program {number}"))?;
        let succeeded =
            program.0.iter().filter(|operation| machine.perform(operation).is_ok()).count();
        scene.say(&format!("done {number} {} {succeeded}", program.0.len()))?;
    }
    Ok(())
}

/// Carries out one program as the act of an escape.
///
/// # Errors
/// The first error of its operations, all of which are tried.
pub fn attempt(scene: &Scene, text: &str) -> io::Result<Vec<u8>> {
    let programs = Program::parse_all(text)
        .map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))?;
    let program = programs.first().ok_or(io::ErrorKind::InvalidData)?;
    if program.0.iter().any(|operation| operation.call.shows == Shows::State) {
        scene.show("baseline")?;
    }
    let mut machine = Machine::new(scene, "p")?;
    let results: Vec<_> = program.0.iter().map(|operation| machine.perform(operation)).collect();
    results.into_iter().collect::<io::Result<Vec<()>>>().map(|_done| Vec::new())
}

/// What one program has.
struct Machine<'a> {
    scene: &'a Scene,
    /// The program's own directory.
    folder: PathBuf,
    made: Vec<OwnedFd>,
    numbers: BTreeMap<Kind, usize>,
}

impl<'a> Machine<'a> {
    /// A fresh machine in a fresh directory of its own.
    fn new(scene: &'a Scene, folder: &str) -> io::Result<Self> {
        let folder = scene.run().join(folder);
        fs::create_dir(&folder)?;
        nix::unistd::chdir(&folder)?;
        Ok(Self { scene, folder, made: Vec::new(), numbers: BTreeMap::new() })
    }

    /// Carries out one operation, lets the watchers look where it may be seen, and emits what it read.
    fn perform(&mut self, operation: &Operation) -> io::Result<()> {
        let call = operation.call;
        if let Gives::Special(special) = call.gives {
            return special::perform(self, special, operation);
        }
        let mut memory = Memory::new(self.scene);
        let arguments = self.arguments(operation, &mut memory)?;
        wait(operation, &arguments)?;
        match call.gives {
            Gives::Nothing => {
                raw::call(call.number, arguments)?;
            }
            Gives::Bytes => {
                let length = raw::call(call.number, arguments)?;
                self.scene.emit(memory.filled(length))?;
            }
            Gives::Descriptor => self.made.push(raw::descriptor(call.number, arguments)?),
            Gives::Number(kind) => {
                let number = raw::call(call.number, arguments)?;
                self.numbers.insert(kind, number as usize);
            }
            Gives::Process => {
                marker::second(self.scene, || Ok(raw::call(call.number, arguments)? as i32))?;
            }
            Gives::Special(_) => {}
        }
        self.show(operation)
    }

    fn show(&self, operation: &Operation) -> io::Result<()> {
        match operation.call.shows {
            Shows::Nothing => Ok(()),
            Shows::Descriptor(link) => self.scene.show(&format!("descriptor {link}")),
            Shows::State => self.scene.show("check"),
            Shows::Victim => self.scene.show("victim"),
            Shows::Socket => match chosen(operation) {
                Some(family)
                    if ![libc::AF_INET, libc::AF_INET6, libc::AF_UNIX].contains(&family) =>
                {
                    self.scene.show(&format!("socket {family}"))
                }
                Some(_) | None => Ok(()),
            },
        }
    }

    /// The arguments as the kernel takes them.
    fn arguments(&self, operation: &Operation, memory: &mut Memory) -> io::Result<[usize; 6]> {
        let mut words = operation.words.iter().copied();
        let mut values = [0; 6];
        for (value, argument) in values.iter_mut().zip(operation.call.arguments) {
            *value = if let Argument::Fixed(fixed) = argument {
                self.fixed(*fixed, memory)?
            } else {
                let word = words.next().ok_or(io::ErrorKind::InvalidData)?;
                self.value(argument, word, memory)?
            };
        }
        Ok(values)
    }

    fn value(&self, argument: &Argument, word: Word, memory: &mut Memory) -> io::Result<usize> {
        match (argument, word) {
            (Argument::Choice(choices), Word::Name(name)) => choices
                .iter()
                .find(|(known, _)| *known == name)
                .map(|(_, value)| *value as usize)
                .ok_or_else(|| io::ErrorKind::InvalidData.into()),
            (Argument::Descriptor | Argument::Directory, Word::Name(name)) => {
                Ok(self.descriptor(name)? as usize)
            }
            (Argument::Place, Word::Place { object, spelling }) => {
                memory.text(&self.spell(object, spelling)?)
            }
            (Argument::Address, Word::Name(name)) => memory.address(name),
            (Argument::Program, Word::Name(name)) => {
                let path = self.program(name)?;
                memory.become_known(name, &path)?;
                memory.text(&path)
            }
            (_, Word::Name(_) | Word::Place { .. }) => Err(io::ErrorKind::InvalidData.into()),
        }
    }

    fn fixed(&self, fixed: Fixed, memory: &mut Memory) -> io::Result<usize> {
        if let Fixed::Latest(kind) = fixed {
            return self.numbers.get(&kind).copied().ok_or_else(|| errno(libc::ENOENT));
        }
        memory.fixed(fixed)
    }

    /// The number of a descriptor.
    fn descriptor(&self, name: &str) -> io::Result<i32> {
        let made = match name {
            WORKING => return Ok(libc::AT_FDCWD),
            LAST => self.made.last(),
            name => match name.strip_prefix("made-") {
                Some(index) => index.parse().ok().and_then(|index: usize| self.made.get(index)),
                None => return self.scene.number(name),
            },
        };
        made.map(AsRawFd::as_raw_fd).ok_or_else(|| errno(libc::EBADF))
    }

    /// The path of a program to become.
    fn program(&self, name: &str) -> io::Result<PathBuf> {
        match name {
            "shell" => Ok(Path::new("/bin/sh").to_owned()),
            "script" => self.scene.path("script"),
            own => Ok(self.folder.join(own)),
        }
    }
}

/// The value of the first constant that was chosen.
fn chosen(operation: &Operation) -> Option<i32> {
    operation.arguments().find_map(|(argument, word)| match (argument, word) {
        (Argument::Choice(choices), Word::Name(name)) => choices
            .iter()
            .find(|(known, _)| *known == name)
            .and_then(|(_, value)| i32::try_from(*value).ok()),
        _other => None,
    })
}

/// Waits a moment until the descriptor that is read from has something to read, for what has nothing
/// would be waited for without end. A program that waits so in sendfile(2) or splice(2) keeps the pipe of
/// its output locked all the while, against its launcher too.
fn wait(operation: &Operation, arguments: &[usize; 6]) -> io::Result<()> {
    let read_from = match operation.call.name {
        "sendfile" => arguments.get(1),
        "splice" => arguments.first(),
        _ if operation.call.gives == Gives::Bytes => arguments.first(),
        _ => return Ok(()),
    };
    let Some(descriptor) =
        read_from.filter(|_number| operation.call.arguments.contains(&Argument::Descriptor))
    else {
        return Ok(());
    };
    let mut waited = u64::from(*descriptor as u32) | u64::from(libc::POLLIN as u16) << 32;
    let time = [0, PATIENCE];
    let (place, time) = ((&raw mut waited) as usize, time.as_ptr() as usize);
    match raw::call(libc::SYS_ppoll, [place, 1, time, 0, 8, 0])? {
        0 => Err(errno(libc::EAGAIN)),
        _ready => Ok(()),
    }
}

fn errno(number: i32) -> io::Error {
    io::Error::from_raw_os_error(number)
}
