//! The rules of a profile as data, in the part of the language that this project writes and reads.

use super::access::{Object, Vnode};
use super::operation::{Action, Operation};
use std::collections::BTreeMap;
use std::fmt;

/// One rule: it does its action to each of its operations where one of its filters matches, or, without
/// filters, everywhere.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rule {
    /// What it does.
    pub action: Action,
    /// What it speaks of.
    pub operations: Vec<Operation>,
    /// Where: one of them must match.
    pub filters: Vec<Filter>,
}

/// A condition on the object of an access.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Filter {
    /// Exactly this path.
    Literal(Text),
    /// This path and everything beneath.
    Subpath(Text),
    /// Every directory above this path.
    Ancestors(Text),
    /// One of these kinds of file.
    VnodeType(Vec<Vnode>),
    /// The program itself.
    OwnProcess,
    /// A process of this image.
    ProcessPath(Text),
    /// This control of a descriptor, by its number.
    FcntlCommand(u32),
    /// This request to a socket, by its number.
    IoctlCommand(u32),
    /// This system call, by its number.
    UnixCall(u32),
    /// This service.
    GlobalName(Text),
    /// This kernel variable.
    SysctlName(Text),
    /// This policy module of the kernel.
    PolicyName(Text),
    /// This call of a policy module.
    SyscallNumber(u32),
    /// All of these at once.
    All(Vec<Filter>),
}

/// Text of a rule. No text that comes from outside is ever written into a profile: it is a parameter,
/// of which the profile holds the name alone.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Text {
    /// It stands in the profile.
    Fixed(String),
    /// The value of this parameter.
    Parameter(String),
}

/// The values of parameters.
pub type Values = BTreeMap<String, String>;

/// A parameter that a rule uses has no value: the real compiler refuses such a profile too.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the parameter {0} has no value")]
pub struct Unset(pub String);

impl Rule {
    /// A rule without filters.
    pub fn everywhere(action: Action, operations: &[&str]) -> Self {
        Self::new(action, operations, Vec::new())
    }

    /// A rule. Names that are no operations are left out; a test holds every name to the table.
    pub(super) fn new(action: Action, operations: &[&str], filters: Vec<Filter>) -> Self {
        let operations = operations.iter().filter_map(|name| Operation::named(name)).collect();
        Self { action, operations, filters }
    }

    /// Whether it speaks of this access.
    ///
    /// # Errors
    /// When a parameter has no value.
    pub(super) fn matches(&self, object: &Object, values: &Values) -> Result<bool, Unset> {
        if self.filters.is_empty() {
            return Ok(true);
        }
        any(&self.filters, object, values)
    }
}

fn any(filters: &[Filter], object: &Object, values: &Values) -> Result<bool, Unset> {
    let mut found = false;
    for filter in filters {
        // Every filter is looked at, so that an unset parameter is found whatever matches before it.
        found |= filter.matches(object, values)?;
    }
    Ok(found)
}

impl Filter {
    fn matches(&self, object: &Object, values: &Values) -> Result<bool, Unset> {
        let path = match object {
            Object::Path(path, _) | Object::Image { path, .. } => Some(path.as_str()),
            Object::Any
            | Object::Control(_)
            | Object::Request(_)
            | Object::Call(_)
            | Object::Process { .. }
            | Object::Name(_)
            | Object::Module { .. } => None,
        };
        Ok(match (self, object) {
            (Self::Literal(text), _) => {
                let text = text.value(values)?;
                path == Some(text)
            }
            (Self::Subpath(text), _) => {
                let text = text.value(values)?;
                path.is_some_and(|path| is_beneath(path, text))
            }
            (Self::Ancestors(text), _) => {
                let text = text.value(values)?;
                path.is_some_and(|path| path != text && is_beneath(text, path))
            }
            (Self::VnodeType(kinds), Object::Path(_, kind)) => kinds.contains(kind),
            (Self::OwnProcess, Object::Process { own }) => *own,
            (Self::ProcessPath(text), Object::Image { by, .. }) => text.value(values)? == by,
            (Self::FcntlCommand(number), Object::Control(asked))
            | (Self::IoctlCommand(number), Object::Request(asked))
            | (Self::UnixCall(number), Object::Call(asked)) => number == asked,
            (Self::GlobalName(text) | Self::SysctlName(text), Object::Name(name)) => {
                text.value(values)? == name
            }
            (Self::PolicyName(text), Object::Module { policy, .. }) => {
                text.value(values)? == policy
            }
            (Self::SyscallNumber(number), Object::Module { call, .. }) => number == call,
            (Self::All(filters), _) => {
                let mut all = true;
                for filter in filters {
                    all &= filter.matches(object, values)?;
                }
                all
            }
            (
                Self::VnodeType(_)
                | Self::OwnProcess
                | Self::ProcessPath(_)
                | Self::FcntlCommand(_)
                | Self::IoctlCommand(_)
                | Self::UnixCall(_)
                | Self::GlobalName(_)
                | Self::SysctlName(_)
                | Self::PolicyName(_)
                | Self::SyscallNumber(_),
                _,
            ) => false,
        })
    }
}

/// Whether `path` is `root` or lies beneath it.
pub(super) fn is_beneath(path: &str, root: &str) -> bool {
    let rest = path.strip_prefix(root.strip_suffix('/').unwrap_or(root));
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

impl Text {
    /// Text that stands in the profile.
    pub fn fixed(text: &str) -> Self {
        Self::Fixed(text.to_owned())
    }

    /// The value of a parameter.
    pub fn parameter(name: &str) -> Self {
        Self::Parameter(name.to_owned())
    }

    /// The text itself.
    ///
    /// # Errors
    /// When it is a parameter without a value.
    pub fn value<'a>(&'a self, values: &'a Values) -> Result<&'a str, Unset> {
        match self {
            Self::Fixed(text) => Ok(text),
            Self::Parameter(name) => {
                values.get(name).map(String::as_str).ok_or_else(|| Unset(name.clone()))
            }
        }
    }
}

impl fmt::Display for Text {
    /// A string of the language: the backslash is escaped before the quote, for the other order ends
    /// the string early. Fixed text holds neither; this is for profiles of others.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Fixed(text) => {
                write!(formatter, "\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
            }
            Self::Parameter(name) => write!(formatter, "(param \"{name}\")"),
        }
    }
}

impl fmt::Display for Filter {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Literal(text) => write!(formatter, "(literal {text})"),
            Self::Subpath(text) => write!(formatter, "(subpath {text})"),
            Self::Ancestors(text) => write!(formatter, "(path-ancestors {text})"),
            Self::VnodeType(kinds) => {
                formatter.write_str("(vnode-type")?;
                kinds.iter().try_for_each(|kind| write!(formatter, " {}", kind.word()))?;
                formatter.write_str(")")
            }
            Self::OwnProcess => formatter.write_str("(target self)"),
            Self::ProcessPath(text) => write!(formatter, "(process-path {text})"),
            Self::FcntlCommand(number) => write!(formatter, "(fcntl-command {number})"),
            Self::IoctlCommand(number) => write!(formatter, "(ioctl-command {number})"),
            Self::UnixCall(number) => write!(formatter, "(syscall-number {number})"),
            Self::GlobalName(text) => write!(formatter, "(global-name {text})"),
            Self::SysctlName(text) => write!(formatter, "(sysctl-name {text})"),
            Self::PolicyName(text) => write!(formatter, "(mac-policy-name {text})"),
            Self::SyscallNumber(number) => write!(formatter, "(mac-syscall-number {number})"),
            Self::All(filters) => {
                formatter.write_str("(require-all")?;
                filters.iter().try_for_each(|filter| write!(formatter, " {filter}"))?;
                formatter.write_str(")")
            }
        }
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "({}", self.action.word())?;
        self.operations
            .iter()
            .try_for_each(|operation| write!(formatter, " {}", operation.name()))?;
        self.filters.iter().try_for_each(|filter| write!(formatter, " {filter}"))?;
        formatter.write_str(")")
    }
}
