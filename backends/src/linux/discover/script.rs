//! Reads the interpreter line of a script as the kernel does: fs/binfmt_script.c, execve(2).

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use super::error::{DiscoverError, ScriptLineError};
use super::files;

/// Bytes of a file that the kernel looks at: `BINPRM_BUF_SIZE`.
const KERNEL_READS: u64 = 256;

/// Scripts that the kernel follows one behind the other: `exec_binprm`.
const DEPTH: usize = 5;

/// A program as it can be executed through a descriptor, and the arguments that come before its own: a
/// script stands behind its interpreter, for the name under which the kernel would hand it over is
/// closed by the execution. `find` leads from a name or a path to a program.
///
/// # Errors
/// When an interpreter line cannot be read or leads nowhere.
pub(crate) fn unfold(
    program: PathBuf,
    find: impl Fn(&str) -> Option<PathBuf>,
) -> Result<(PathBuf, Vec<OsString>), DiscoverError> {
    let (mut image, mut before) = (program, Vec::new());
    for _ in 0..DEPTH {
        let Some(Line { interpreter, mut arguments }) = line(&image)? else { break };
        let found = interpreter.to_str().and_then(&find);
        arguments.push(image.into_os_string());
        arguments.append(&mut before);
        before = arguments;
        image = found.ok_or(DiscoverError::NotFound { path: interpreter })?;
    }
    Ok((image, before))
}

/// What the first line of a script asks for.
#[derive(Debug, Eq, PartialEq)]
pub(crate) struct Line {
    /// The interpreter as the line names it: an absolute path, or with `env` a name for `PATH`.
    pub(crate) interpreter: PathBuf,
    /// Arguments that come before the script's path.
    pub(crate) arguments: Vec<OsString>,
}

/// The interpreter line of a file, or nothing when it does not begin with `#!`.
pub(crate) fn line(script: &Path) -> Result<Option<Line>, DiscoverError> {
    let start = files::read_start(script, KERNEL_READS).map_err(files::inspect("read", script))?;
    let Some(start) = start.strip_prefix(b"#!") else { return Ok(None) };
    let line = parse(start);
    line.map(Some)
        .map_err(|cause| DiscoverError::ScriptLine { script: script.to_path_buf(), cause })
}

/// Parses what follows `#!` in the bytes that the kernel looks at.
fn parse(start: &[u8]) -> Result<Line, ScriptLineError> {
    // The kernel takes a line that it sees no end of only if the interpreter's path is whole.
    let whole = start.contains(&b'\n') || (start.len() as u64) + 2 < KERNEL_READS;
    if !whole {
        return Err(ScriptLineError::TooLong);
    }
    let blank = |byte: &u8| matches!(byte, b' ' | b'\t');
    let line = start.split(|byte| matches!(byte, b'\n' | b'\0')).next().unwrap_or_default();
    let line = trim(line, blank);
    let end = line.iter().position(blank).unwrap_or(line.len());
    let (interpreter, argument) =
        (Path::new(OsStr::from_bytes(&line[..end])), trim(&line[end..], blank));
    if interpreter.as_os_str().is_empty() {
        return Err(ScriptLineError::Empty);
    }
    if !interpreter.is_absolute() {
        return Err(ScriptLineError::Relative);
    }
    if interpreter.file_name() == Some(OsStr::new("env")) {
        return parse_env(argument);
    }
    // Everything after the interpreter is one argument.
    let arguments =
        if argument.is_empty() { vec![] } else { vec![OsStr::from_bytes(argument).to_owned()] };
    Ok(Line { interpreter: interpreter.to_path_buf(), arguments })
}

/// `env NAME`, or `env -S NAME ARGUMENT...` without quotes, escapes and variables: env(1).
fn parse_env(argument: &[u8]) -> Result<Line, ScriptLineError> {
    let words: Vec<&[u8]> = match argument.strip_prefix(b"-S") {
        Some(text) => text.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty()).collect(),
        // One argument, blanks and all: env looks for a program of that name.
        None => vec![argument],
    };
    let (name, arguments) = words.split_first().ok_or(ScriptLineError::Env)?;
    let odd = name.is_empty()
        || name.starts_with(b"-")
        || name.iter().any(|byte| byte.is_ascii_whitespace() || *byte == b'=')
        || words.iter().any(|word| word.iter().any(|byte| b"'\"\\$#".contains(byte)));
    if odd {
        return Err(ScriptLineError::Env);
    }
    if name.contains(&b'/') && !name.starts_with(b"/") {
        return Err(ScriptLineError::Relative);
    }
    Ok(Line {
        interpreter: PathBuf::from(OsStr::from_bytes(name)),
        arguments: arguments.iter().map(|word| OsStr::from_bytes(word).to_owned()).collect(),
    })
}

fn trim(mut text: &[u8], blank: impl Fn(&u8) -> bool) -> &[u8] {
    while let Some((_, rest)) = text.split_first().filter(|(first, _)| blank(first)) {
        text = rest;
    }
    while let Some((_, rest)) = text.split_last().filter(|(last, _)| blank(last)) {
        text = rest;
    }
    text
}
