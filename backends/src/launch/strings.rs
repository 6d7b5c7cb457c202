//! Linux. Arguments and environment of a program, as `execve` takes them: arrays of pointers that end
//! in a null one, built before the child exists.

use super::LaunchError;
use crate::command::Command;
use crate::enforcement::Environment;
use crate::policy::RUN;
use std::ffi::{CString, OsStr, OsString, c_char};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::Path;

/// The two arrays, and the text that they point to.
#[derive(Debug)]
pub(super) struct Strings {
    pub(super) arguments: Vec<*const c_char>,
    pub(super) environment: Vec<*const c_char>,
    _text: Vec<CString>,
}

impl Strings {
    /// Builds the arrays for a program in the environment that the enforcement says.
    pub(super) fn of(command: &Command, environment: &Environment) -> Result<Self, LaunchError> {
        let zeroth = command.argument0.as_deref().unwrap_or(command.program.as_os_str());
        let mut text = vec![c_string(zeroth.as_bytes())?];
        for argument in &command.arguments {
            text.push(c_string(argument.as_bytes())?);
        }
        let arguments = pointers(&text);
        let mut variables = Vec::new();
        match environment {
            Environment::Inherited => {
                for (name, value) in std::env::vars_os().chain(command.surroundings.iter().cloned())
                {
                    variables.push(variable(&name, &value)?);
                }
            }
            Environment::Exactly(map) => {
                for (name, value) in map {
                    let value = resolve(value, &command.run_directory);
                    variables.push(variable(OsStr::new(name), &value)?);
                }
            }
        }
        let environment = pointers(&variables);
        text.append(&mut variables);
        Ok(Self { arguments, environment, _text: text })
    }
}

/// A value with the run directory in the place of its symbol.
fn resolve(value: &str, run: &Path) -> OsString {
    let mut bytes = Vec::new();
    for (index, part) in value.split(RUN).enumerate() {
        if index > 0 {
            bytes.extend_from_slice(run.as_os_str().as_bytes());
        }
        bytes.extend_from_slice(part.as_bytes());
    }
    OsString::from_vec(bytes)
}

fn variable(name: &OsStr, value: &OsStr) -> Result<CString, LaunchError> {
    let mut bytes = name.as_bytes().to_vec();
    bytes.push(b'=');
    bytes.extend_from_slice(value.as_bytes());
    CString::new(bytes).map_err(|_nul| LaunchError::Nul)
}

fn c_string(bytes: &[u8]) -> Result<CString, LaunchError> {
    CString::new(bytes).map_err(|_nul| LaunchError::Nul)
}

/// Pointers to the text of each string, which lies on the heap and stays where it is.
fn pointers(text: &[CString]) -> Vec<*const c_char> {
    text.iter().map(|string| string.as_ptr()).chain([std::ptr::null()]).collect()
}
