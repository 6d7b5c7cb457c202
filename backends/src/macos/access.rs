//! One access, as a question to a profile: an operation and what it is done to.

use super::operation::Operation;
use std::fmt;

/// What a path leads to, as the kernel tells the profile.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[expect(missing_docs, reason = "the names are those of the language")]
pub enum Vnode {
    BlockDevice,
    CharacterDevice,
    Directory,
    Fifo,
    RegularFile,
    Socket,
    Symlink,
}

impl Vnode {
    /// All of them.
    pub const ALL: [Self; 7] = [
        Self::BlockDevice,
        Self::CharacterDevice,
        Self::Directory,
        Self::Fifo,
        Self::RegularFile,
        Self::Socket,
        Self::Symlink,
    ];

    /// The word of the language.
    pub fn word(self) -> &'static str {
        match self {
            Self::BlockDevice => "BLOCK-DEVICE",
            Self::CharacterDevice => "CHARACTER-DEVICE",
            Self::Directory => "DIRECTORY",
            Self::Fifo => "FIFO",
            Self::RegularFile => "REGULAR-FILE",
            Self::Socket => "SOCKET",
            Self::Symlink => "SYMLINK",
        }
    }
}

/// What an operation is done to. The kernel fills what the operation has; the rest is absent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Object {
    /// Nothing that a filter could look at, or nothing that matters.
    Any,
    /// A path as the kernel spells it, and what is or will be there.
    Path(String, Vnode),
    /// An image that is executed.
    Image {
        /// Its path.
        path: String,
        /// The image of the process that executes it.
        by: String,
    },
    /// A control of a descriptor, by its number (`F_GETFD` and the others of fcntl(2)).
    Control(u32),
    /// A request to a socket, by its number (`FIONBIO` and the others of ioctl(2)).
    Request(u32),
    /// A system call, by its number.
    Call(u32),
    /// Another process, or this one.
    Process {
        /// Whether it is the program itself.
        own: bool,
    },
    /// A name: of a service, of a kernel variable, of a shared object.
    Name(String),
    /// A call of a policy module of the kernel.
    Module {
        /// The module.
        policy: String,
        /// The number of its call.
        call: u32,
    },
}

/// One access.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Access {
    /// What is done.
    pub operation: Operation,
    /// To what.
    pub object: Object,
}

impl fmt::Display for Access {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.operation.name())?;
        match &self.object {
            Object::Any => Ok(()),
            Object::Path(path, vnode) => write!(formatter, " {path:?} {}", vnode.word()),
            Object::Image { path, by } => write!(formatter, " {path:?} by {by:?}"),
            Object::Control(number) | Object::Request(number) | Object::Call(number) => {
                write!(formatter, " {number}")
            }
            Object::Process { own: true } => formatter.write_str(" self"),
            Object::Process { own: false } => formatter.write_str(" others"),
            Object::Name(name) => write!(formatter, " {name:?}"),
            Object::Module { policy, call } => write!(formatter, " {policy}/{call}"),
        }
    }
}
