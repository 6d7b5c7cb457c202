//! A unit: one program with its arguments and what it is granted, and the policy that comes of it.

use crate::discover::{self, DiscoverError, Needs};
use crate::grants::{Grants, Refusal};
use crate::policy::{GrantError, Limits, Policy};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::ffi::{OsStr, OsString};
use std::fmt;
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;

/// What stands before the canonical bytes of a unit when they are hashed.
const DOMAIN: &[u8] = b"escapology/unit/v1\n";

/// One program to run, and what it is given.
#[derive(Clone, Debug)]
pub struct Unit {
    /// The program: a path, or a name that is looked for on the host's search path.
    pub program: PathBuf,
    /// Its arguments after the zeroth.
    pub arguments: Vec<OsString>,
    /// What it is granted.
    pub grants: Grants,
    /// What it may use.
    pub limits: Limits,
}

/// Why a unit has no policy. Nothing ran.
#[derive(Debug, thiserror::Error)]
pub enum UnitError {
    /// A grant that is no grant, or that S1 cannot keep.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// What the program needs to start cannot be found out.
    #[error("failed to {0}")]
    Program(#[from] DiscoverError),
    /// What the program needs to start cannot be granted.
    #[error("grant what the program needs to start: {0}")]
    Needs(GrantError),
}

impl Unit {
    /// A unit without arguments that is granted nothing.
    pub fn new(program: impl Into<PathBuf>) -> Self {
        Self {
            program: program.into(),
            arguments: Vec::new(),
            grants: Grants::default(),
            limits: Limits::default(),
        }
    }

    /// Finds out what the program needs to start, from its bytes alone.
    ///
    /// # Errors
    /// See [`DiscoverError`].
    pub fn needs(&self, search: &OsStr) -> Result<Needs, DiscoverError> {
        discover::program(&self.program, search)
    }

    /// The policy of this unit: its grants, what its program needs to start, read-only, and the
    /// devices that hold nothing.
    ///
    /// # Errors
    /// See [`UnitError`].
    pub fn policy(&self, needs: &Needs) -> Result<Policy, UnitError> {
        let mut builder = Policy::builder().limits(self.limits.clone()).grants(&self.grants)?;
        builder = builder.devices().map_err(UnitError::Needs)?;
        // What is granted for writing is not granted for reading once more by what is needed.
        for path in needs.read.iter().filter(|path| !self.grants.gives_writing(path)) {
            builder = builder.read(path).map_err(UnitError::Needs)?;
        }
        for path in &needs.execute {
            builder = builder.execute(path).map_err(UnitError::Needs)?;
        }
        // From here on only the grants can contradict each other.
        Ok(builder.build().map_err(Refusal::Place)?)
    }

    /// The unit as data: JSON with sorted keys. What is no text stands as its bytes in hexadecimal.
    pub fn canonical(&self) -> Value {
        let grants = &self.grants;
        let storage: Vec<Value> = grants
            .storage
            .iter()
            .map(|storage| {
                json!({ "path": text(storage.path.as_os_str()), "access": storage.access })
            })
            .collect();
        json!({
            "program": text(self.program.as_os_str()),
            "arguments": self.arguments.iter().map(|text_| text(text_)).collect::<Vec<_>>(),
            "limits": self.limits,
            "grants": {
                "storage": storage,
                "clock": grants.clock,
                "randomness": grants.randomness,
                "network": grants.network,
                "subprocess": grants.subprocess,
                "browser": grants.browser,
                "display": grants.display,
                "accelerator": grants.accelerator,
                "key-value-store": grants.key_value_store,
                "shared-files": grants.shared_files,
            },
        })
    }

    /// The digest of the unit as data.
    pub fn digest(&self) -> UnitDigest {
        UnitDigest(digest(&self.canonical()))
    }
}

/// The digest of a unit: its program's name, arguments, grants and limits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnitDigest([u8; 32]);

impl fmt::Display for UnitDigest {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "sha256:{}", hex::encode(self.0))
    }
}

/// The digest of the canonical form of a unit.
pub(crate) fn digest(canonical: &Value) -> [u8; 32] {
    Sha256::new().chain_update(DOMAIN).chain_update(canonical.to_string()).finalize().into()
}

/// A string, or an object with the bytes of what is no text.
fn text(value: &OsStr) -> Value {
    match value.to_str() {
        Some(text) => text.into(),
        None => json!({ "hex": hex::encode(value.as_bytes()) }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::ffi::OsStringExt;

    #[test]
    fn every_part_of_a_unit_changes_its_digest() {
        let unit = || Unit::new("/bin/cat");
        let mut units = vec![unit(), Unit::new("/bin/cp")];
        let arguments: [&[&[u8]]; 4] = [&[b"a"], &[b"a", b"b"], &[b"ab"], &[b"\xff"]];
        units.extend(arguments.map(|arguments| {
            let text = |bytes: &&[u8]| OsString::from_vec(bytes.to_vec());
            Unit { arguments: arguments.iter().map(text).collect(), ..unit() }
        }));
        // The text that stands for bytes that are no text is not taken for them.
        units.push(Unit { arguments: vec![r#"{"hex":"ff"}"#.into()], ..unit() });
        units.extend(
            [Grants::default().read("/a"), Grants::default().write("/a")]
                .map(|grants| Unit { grants, ..unit() }),
        );
        let changes: [fn(&mut Grants); 9] = [
            |grants| grants.clock = false,
            |grants| grants.randomness = false,
            |grants| grants.network.extend(["a:1".to_owned()]),
            |grants| grants.subprocess = true,
            |grants| grants.browser = true,
            |grants| grants.display = true,
            |grants| grants.accelerator = true,
            |grants| grants.key_value_store = true,
            |grants| grants.shared_files = true,
        ];
        units.extend(changes.map(|change| {
            let mut unit = unit();
            change(&mut unit.grants);
            unit
        }));
        let limits = Limits { open_files: crate::policy::Bound::At(7), ..Limits::default() };
        units.push(Unit { limits, ..unit() });
        let mut digests: Vec<String> = units.iter().map(|unit| unit.digest().to_string()).collect();
        assert_eq!(digests[0], unit().digest().to_string());
        digests.sort();
        digests.dedup();
        assert_eq!(digests.len(), units.len());
    }

    #[test]
    fn what_a_program_needs_is_not_granted_twice_inside_what_it_may_write() {
        let unit = Unit::new("/bin/cat");
        let needs = unit.needs(OsStr::new("/bin")).unwrap();
        let policy = unit.policy(&needs).unwrap();
        assert!(!policy.execute().is_empty() && !policy.read().is_empty());
        let folder = tempfile::tempdir().unwrap();
        let base = folder.path().canonicalize().unwrap();
        let mut inside = needs.clone();
        inside.read.insert(base.join("library"));
        std::fs::write(base.join("library"), "").unwrap();
        let unit = Unit { grants: Grants::default().write(&base), ..unit };
        assert_eq!(unit.policy(&inside).unwrap().read(), policy.read());
    }
}
