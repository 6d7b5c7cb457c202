//! Reads the part of the profile language that this project writes. The language is a whole Scheme; what
//! is read here is text without evaluation, so anything else is an error and never skipped: an import or
//! a definition would be rules that nobody has looked at.

use super::access::Vnode;
use super::operation::{Action, Operation};
use super::rules::{Filter, Rule, Text};
use std::iter::Peekable;
use std::str::Chars;

/// Why a text is not a profile of this part of the language.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReadError {
    /// A parenthesis or a string has no end.
    #[error("the text ends inside a list or a string")]
    Unended,
    /// A parenthesis closes nothing.
    #[error("a parenthesis closes nothing")]
    Stray,
    /// The text does not begin with `(version 1)`.
    #[error("the text does not begin with (version 1)")]
    Version,
    /// A form that is not read here.
    #[error("a form that is no rule: {0:?}")]
    Form(String),
    /// An operation that is not in the table.
    #[error("unknown operation {0:?}")]
    Operation(String),
    /// A rule without an operation.
    #[error("a rule that names no operation")]
    NoOperation,
    /// A filter that is not read here.
    #[error("unknown filter {0:?}")]
    Filter(String),
    /// A filter that an operation does not have.
    #[error("{operation} has no filter {filter}")]
    Misplaced {
        /// The operation.
        operation: &'static str,
        /// The filter.
        filter: String,
    },
    /// A path that no access can have.
    #[error("a path must not end with a slash: {0:?}")]
    Slash(String),
}

#[derive(Clone, Debug)]
enum Form {
    Word(String),
    String(String),
    List(Vec<Form>),
}

/// Reads a profile's text.
///
/// # Errors
/// When it holds anything but rules of the known kind; see [`ReadError`].
pub fn read(text: &str) -> Result<Vec<Rule>, ReadError> {
    let mut forms = Vec::new();
    let mut characters = text.chars().peekable();
    while let Some(form) = next(&mut characters)? {
        forms.push(form);
    }
    let mut forms = forms.into_iter();
    match forms.next() {
        Some(Form::List(list)) if is_version(&list) => forms.map(rule).collect(),
        _ => Err(ReadError::Version),
    }
}

fn is_version(list: &[Form]) -> bool {
    matches!(list, [Form::Word(head), Form::Word(number)] if head == "version" && number == "1")
}

/// The next form, or `None` at the end of the text.
fn next(characters: &mut Peekable<Chars<'_>>) -> Result<Option<Form>, ReadError> {
    skip(characters);
    match characters.peek() {
        None => Ok(None),
        Some('(') => {
            characters.next();
            let mut list = Vec::new();
            loop {
                skip(characters);
                if characters.next_if_eq(&')').is_some() {
                    return Ok(Some(Form::List(list)));
                }
                list.push(next(characters)?.ok_or(ReadError::Unended)?);
            }
        }
        Some(')') => Err(ReadError::Stray),
        Some('"') => string(characters).map(Some),
        Some(_) => {
            let mut word = String::new();
            while let Some(character) = characters.next_if(|character| {
                !character.is_whitespace() && !matches!(character, '(' | ')' | '"' | ';')
            }) {
                word.push(character);
            }
            Ok(Some(Form::Word(word)))
        }
    }
}

/// White space, and comments to the end of their line.
fn skip(characters: &mut Peekable<Chars<'_>>) {
    while let Some(character) =
        characters.next_if(|character| character.is_whitespace() || *character == ';')
    {
        if character == ';' {
            characters.by_ref().find(|character| *character == '\n');
        }
    }
}

fn string(characters: &mut Peekable<Chars<'_>>) -> Result<Form, ReadError> {
    characters.next();
    let mut text = String::new();
    loop {
        match characters.next().ok_or(ReadError::Unended)? {
            '"' => return Ok(Form::String(text)),
            '\\' => text.push(characters.next().ok_or(ReadError::Unended)?),
            other => text.push(other),
        }
    }
}

fn rule(form: Form) -> Result<Rule, ReadError> {
    let Form::List(list) = form else { return Err(ReadError::Form(head(&form))) };
    let mut parts = list.into_iter();
    let action = match parts.next() {
        Some(Form::Word(word)) if word == "allow" => Action::Allow,
        Some(Form::Word(word)) if word == "deny" => Action::Deny,
        Some(other) => return Err(ReadError::Form(head(&other))),
        None => return Err(ReadError::Form(String::new())),
    };
    let (mut operations, mut filters) = (Vec::new(), Vec::new());
    for part in parts {
        match part {
            Form::Word(name) => operations
                .push(Operation::named(&name).ok_or_else(|| ReadError::Operation(name.clone()))?),
            Form::List(list) => filters.push(filter(list)?),
            Form::String(text) => return Err(ReadError::Form(text)),
        }
    }
    if operations.is_empty() {
        return Err(ReadError::NoOperation);
    }
    for operation in &operations {
        for filter in &filters {
            applies(*operation, filter)?;
        }
    }
    Ok(Rule { action, operations, filters })
}

fn head(form: &Form) -> String {
    match form {
        Form::Word(text) | Form::String(text) => text.clone(),
        Form::List(list) => list.first().map(head).unwrap_or_default(),
    }
}

fn filter(list: Vec<Form>) -> Result<Filter, ReadError> {
    let name = list.first().map(head).unwrap_or_default();
    let unknown = || ReadError::Filter(name.clone());
    let arguments: Vec<Form> = list.into_iter().skip(1).collect();
    let text = || match arguments.as_slice() {
        [Form::String(text)] => Ok(Text::Fixed(text.clone())),
        [Form::List(list)] => match list.as_slice() {
            [Form::Word(word), Form::String(name)] if word == "param" => {
                Ok(Text::Parameter(name.clone()))
            }
            _ => Err(unknown()),
        },
        _ => Err(unknown()),
    };
    let number = || match arguments.as_slice() {
        [Form::Word(number)] => number.parse().map_err(|_error| unknown()),
        _ => Err(unknown()),
    };
    match name.as_str() {
        "literal" => Ok(Filter::Literal(path(text()?)?)),
        "subpath" => Ok(Filter::Subpath(path(text()?)?)),
        "path-ancestors" => Ok(Filter::Ancestors(path(text()?)?)),
        "global-name" => Ok(Filter::GlobalName(text()?)),
        "sysctl-name" => Ok(Filter::SysctlName(text()?)),
        "mac-policy-name" => Ok(Filter::PolicyName(text()?)),
        "process-path" => Ok(Filter::ProcessPath(path(text()?)?)),
        "fcntl-command" => number().map(Filter::FcntlCommand),
        "ioctl-command" => number().map(Filter::IoctlCommand),
        "syscall-number" => number().map(Filter::UnixCall),
        "mac-syscall-number" => number().map(Filter::SyscallNumber),
        "target" => match arguments.as_slice() {
            [Form::Word(target)] if target == "self" => Ok(Filter::OwnProcess),
            _ => Err(unknown()),
        },
        "vnode-type" => {
            let kind = |form: &Form| {
                Vnode::ALL.into_iter().find(|kind| kind.word() == head(form)).ok_or_else(unknown)
            };
            arguments.iter().map(kind).collect::<Result<_, _>>().map(Filter::VnodeType)
        }
        "require-all" => {
            let inner = |form| match form {
                Form::List(list) => filter(list),
                Form::Word(_) | Form::String(_) => Err(unknown()),
            };
            arguments.into_iter().map(inner).collect::<Result<_, _>>().map(Filter::All)
        }
        _ => Err(unknown()),
    }
}

/// The real compiler refuses a path that ends with a slash, too.
fn path(text: Text) -> Result<Text, ReadError> {
    match &text {
        Text::Fixed(path) if path.len() > 1 && path.ends_with('/') => {
            Err(ReadError::Slash(path.clone()))
        }
        Text::Fixed(_) | Text::Parameter(_) => Ok(text),
    }
}

/// Whether an operation has such a filter: the real compiler refuses one that it does not have.
fn applies(operation: Operation, filter: &Filter) -> Result<(), ReadError> {
    let of = |names: &[&str]| operation.line().any(|line| names.contains(&line.name()));
    let has = match filter {
        Filter::Literal(_) | Filter::Subpath(_) | Filter::Ancestors(_) => {
            of(&["file*", "network*", "process-exec*"])
        }
        Filter::VnodeType(_) => of(&["file*"]),
        Filter::OwnProcess => of(&["mach-priv*", "mach-task*", "process-info*", "signal"]),
        // Apple's profiles have it with any operation; here it stands with this one alone.
        Filter::ProcessPath(_) => of(&["process-exec*"]),
        Filter::FcntlCommand(_) => of(&["system-fcntl"]),
        // Apple's have it with `file-ioctl`, too; here no request to a file is allowed.
        Filter::IoctlCommand(_) => of(&["socket-ioctl"]),
        Filter::UnixCall(_) => of(&["syscall-unix"]),
        Filter::GlobalName(_) => of(&["mach-lookup", "mach-register"]),
        Filter::SysctlName(_) => of(&["sysctl*"]),
        Filter::PolicyName(_) | Filter::SyscallNumber(_) => of(&["system-mac-syscall"]),
        Filter::All(filters) => {
            return filters.iter().try_for_each(|filter| applies(operation, filter));
        }
    };
    if has {
        Ok(())
    } else {
        Err(ReadError::Misplaced { operation: operation.name(), filter: filter.to_string() })
    }
}
