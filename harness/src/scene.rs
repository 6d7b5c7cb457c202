//! What a program under trial knows of its world, and how it speaks: on standard output, in lines
//! that begin with the trial's nonce, so that a wrapper may mix its own text in.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::io::{self, Read, Write};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

/// The world as the program is told it: keys and values from its command line (`key=value`), so that
/// no file and no descriptor is needed to pass it.
#[derive(Clone, Debug)]
pub struct Scene {
    clues: BTreeMap<String, OsString>,
}

impl Scene {
    /// Reads the clues from `key=value` arguments; an argument without `=` is not a clue.
    pub fn from_arguments(arguments: impl IntoIterator<Item = OsString>) -> Self {
        let clues = arguments
            .into_iter()
            .filter_map(|argument| {
                let bytes = argument.into_vec();
                let equals = bytes.iter().position(|byte| *byte == b'=')?;
                let key = String::from_utf8(bytes.get(..equals)?.to_vec()).ok()?;
                Some((key, OsString::from_vec(bytes.get(equals + 1..)?.to_vec())))
            })
            .collect();
        Self { clues }
    }

    /// A clue as it was given.
    ///
    /// # Errors
    /// When the world holds no such decoy: the escape forgot to ask for it.
    pub fn clue(&self, key: &str) -> io::Result<&OsStr> {
        self.clues
            .get(key)
            .map(OsString::as_os_str)
            .ok_or_else(|| io::Error::new(io::ErrorKind::NotFound, format!("no clue {key}")))
    }

    /// A clue that is a path.
    ///
    /// # Errors
    /// As [`Scene::clue`].
    pub fn path(&self, key: &str) -> io::Result<PathBuf> {
        self.clue(key).map(PathBuf::from)
    }

    /// A clue that is text.
    ///
    /// # Errors
    /// As [`Scene::clue`], or when it is not UTF-8.
    pub fn text(&self, key: &str) -> io::Result<&str> {
        self.clue(key)?.to_str().ok_or_else(|| io::ErrorKind::InvalidData.into())
    }

    /// A clue that is a number: a port, a pid, a descriptor.
    ///
    /// # Errors
    /// As [`Scene::clue`], or when it is not such a number.
    pub fn number<T: std::str::FromStr>(&self, key: &str) -> io::Result<T> {
        self.text(key)?.parse().map_err(|_error| io::ErrorKind::InvalidData.into())
    }

    /// The run directory. It is the working directory too.
    pub fn run(&self) -> &Path {
        self.clues.get("run").map_or(Path::new("."), Path::new)
    }

    /// The trial's public name.
    pub fn nonce(&self) -> &str {
        self.clues.get("nonce").and_then(|nonce| nonce.to_str()).unwrap_or_default()
    }

    /// Says one word of the protocol.
    ///
    /// # Errors
    /// When standard output is gone.
    pub fn say(&self, word: &str) -> io::Result<()> {
        let mut output = io::stdout().lock();
        writeln!(output, "\n{} {word}", self.nonce())?;
        output.flush()
    }

    /// Emits bytes that the act won, for the oracle to search.
    ///
    /// # Errors
    /// When standard output is gone.
    pub fn emit(&self, loot: &[u8]) -> io::Result<()> {
        let mut output = io::stdout().lock();
        output.write_all(loot)?;
        output.flush()
    }

    /// Asks the watchers to look at this living process now and waits until they have: `claim` says
    /// what they should find. The watchers believe their own eyes only.
    ///
    /// # Errors
    /// When nobody answers, so that silence is never taken for a look.
    pub fn show(&self, claim: &str) -> io::Result<()> {
        self.say(&format!("look {claim}"))?;
        let mut answer = [0];
        io::stdin().lock().read_exact(&mut answer)
    }
}

/// The argument that tells a program a clue.
pub fn argument(key: &str, value: &OsStr) -> OsString {
    let mut bytes = key.as_bytes().to_vec();
    bytes.push(b'=');
    bytes.extend_from_slice(value.as_bytes());
    OsString::from_vec(bytes)
}
