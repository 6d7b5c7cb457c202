//! The vocabulary: the system calls that a program may be made of, and which words may stand for each
//! argument. A word names a decoy, something that the program made, or a constant; none names anything
//! else of the host.

mod files;
mod objects;
mod processes;
mod sockets;

/// One system call as the grammar knows it.
#[derive(Debug)]
pub struct Call {
    /// Its name, with a suffix where one call has several entries.
    pub name: &'static str,
    /// Its number on this processor.
    pub number: i64,
    /// Its arguments, from the first.
    pub arguments: &'static [Argument],
    /// What comes back.
    pub gives: Gives,
    /// What the watchers are asked to look at when it succeeded.
    pub shows: Shows,
    /// Where it may stand in a phrase.
    pub role: Role,
}

/// What may stand for an argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Argument {
    /// Nothing to choose.
    Fixed(Fixed),
    /// One of these constants, by name.
    Choice(&'static [(&'static str, i64)]),
    /// A descriptor: one that the program made, or one that the launcher left open.
    Descriptor,
    /// As [`Argument::Descriptor`], or the working directory.
    Directory,
    /// A path: an object and how it is spelled.
    Place,
    /// The address of a listener outside.
    Address,
    /// A program to become.
    Program,
}

/// An argument without a choice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fixed {
    /// This number.
    Constant(i64),
    /// The buffer that calls read from and write to.
    Buffer,
    /// The number that a clue tells, such as the victim's pid.
    Clue(&'static str),
    /// The text that a clue tells, without a slash before it.
    Text(&'static str),
    /// A constant text.
    Literal(&'static std::ffi::CStr),
    /// Words of memory of a constant content.
    Words(&'static [u64]),
    /// One `struct iovec` for the buffer.
    Vector,
    /// One `struct iovec` for the token in the victim's memory.
    VictimVector,
    /// One `struct iovec` for a byte beside the token in the victim's memory.
    VictimByte,
    /// The length of the address in the argument before.
    AddressLength,
    /// A `struct msghdr` with the buffer, for the address in the argument before.
    Message,
    /// The user or group of the program.
    Own,
    /// The smallest executable file, and how long it is.
    Executable,
    /// Its length.
    ExecutableLength,
    /// The argument vector of the program in an argument before.
    Vectors,
    /// The last number of this kind that a call gave.
    Latest(Kind),
}

/// Kinds of numbers that calls give. They are told apart, so that no number of one kind is ever taken
/// for one of another, which might be an object of the host.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// A System V shared memory segment.
    Memory,
    /// A System V message queue.
    Queue,
    /// A System V semaphore set.
    Semaphore,
    /// A key.
    Key,
}

/// What a call gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gives {
    /// Nothing.
    Nothing,
    /// As many bytes in the buffer, which are emitted.
    Bytes,
    /// A descriptor.
    Descriptor,
    /// A number.
    Number(Kind),
    /// A second process, which bears the marker and leaves.
    Process,
    /// What the interpreter knows how to do: it is not one plain call.
    Special(Special),
}

/// What is not one plain call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Special {
    /// Attach the segment and read it.
    Attach,
    /// Attach the segment and write to it.
    AttachWrite,
    /// Open and read by entries of a ring.
    Ring,
    /// Two sockets, of which the first is kept.
    Pair,
    /// The variables and arguments that the kernel laid on the stack.
    Environment,
    /// Close the descriptor.
    Close,
}

/// What the watchers are asked to look at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shows {
    /// Nothing: the effect is seen without.
    Nothing,
    /// A descriptor with this text in its link.
    Descriptor(&'static str),
    /// A socket of the family that was chosen, if that is none of the loopback's.
    Socket,
    /// A change of the program's own state.
    State,
    /// The victim.
    Victim,
}

/// Where a call may stand in a phrase.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Opens a path.
    Open,
    /// Uses a descriptor.
    Use,
    /// Makes a way to a place: a link, another name, another directory.
    Way,
    /// Acts by itself.
    Act,
    /// Makes sense after another call only: see the grammar's chains.
    Chained,
}

impl Call {
    /// A call that acts by itself and gives nothing.
    const fn act(name: &'static str, number: i64, arguments: &'static [Argument]) -> Self {
        let (gives, shows) = (Gives::Nothing, Shows::Nothing);
        Self { name, number, arguments, gives, shows, role: Role::Act }
    }

    const fn gives(self, gives: Gives) -> Self {
        Self { gives, ..self }
    }

    const fn shows(self, shows: Shows) -> Self {
        Self { shows, ..self }
    }

    const fn role(self, role: Role) -> Self {
        Self { role, ..self }
    }

    /// The arguments for which a program has a word.
    pub fn open_arguments(&self) -> impl Iterator<Item = &'static Argument> {
        self.arguments.iter().filter(|argument| !matches!(argument, Argument::Fixed(_)))
    }
}

/// Every call.
pub fn all() -> impl Iterator<Item = &'static Call> {
    [files::CALLS, sockets::CALLS, processes::CALLS, objects::CALLS].into_iter().flatten()
}

/// The call of this name.
pub fn named(name: &str) -> Option<&'static Call> {
    all().find(|call| call.name == name)
}

/// Each listener, with the family and kind of socket that fits it.
pub fn sockets_fitting() -> impl Iterator<Item = (&'static str, &'static str, &'static str)> {
    sockets::FITTING.iter().copied()
}

const fn constant(number: i64) -> Argument {
    Argument::Fixed(Fixed::Constant(number))
}

const NONE: Argument = constant(0);
const BUFFER: Argument = Argument::Fixed(Fixed::Buffer);
/// How much of the buffer a call may read or fill.
const LENGTH: Argument = constant(4096);
/// How much of the buffer is sent: its first words ask a listener for the secret.
const SENT: Argument = constant(32);

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_call_has_a_name_of_its_own_and_at_most_six_arguments() {
        let names: BTreeSet<&str> = all().map(|call| call.name).collect();
        assert_eq!(names.len(), all().count());
        assert!(all().all(|call| call.arguments.len() <= 6 && named(call.name).is_some()));
        assert!(named("reboot").is_none());
    }

    #[test]
    fn a_signal_can_be_sent_to_the_victim_only() {
        let signals = ["kill", "tkill", "tgkill", "rt_sigqueueinfo", "rt_tgsigqueueinfo"];
        for call in all().filter(|call| signals.contains(&call.name)) {
            assert_eq!(call.arguments.first(), Some(&Argument::Fixed(Fixed::Clue("victim"))));
        }
        assert_eq!(all().filter(|call| signals.contains(&call.name)).count(), signals.len());
    }
}
