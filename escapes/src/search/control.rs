//! The positive control: a few programs that get out where nothing stops them. Watchers that do not see
//! these see nothing.

use super::ground::{Ground, LookError};
use super::program::{ParseError, Program};
use fixtures::decoy::EvidenceKind;
use std::collections::BTreeSet;

/// One program for each kind of effect that a search can see.
const PROGRAMS: &str = "\
openat working secret:absolute read
read last

openat working writable:climbing write
write last

socket inet stream
connect last tcp4
write last

kill user

clone child

openat working shared-memory:absolute truncate
write last

pidfd_open
";

/// What must be seen of them.
const KINDS: [EvidenceKind; 7] = [
    EvidenceKind::TokenLeaked,
    EvidenceKind::TreeChanged,
    EvidenceKind::Contacted,
    EvidenceKind::VictimChanged,
    EvidenceKind::ProcessSeen,
    EvidenceKind::ObjectChanged,
    EvidenceKind::ObjectHeld,
];

/// Why a search on this host would prove nothing.
#[derive(Debug, thiserror::Error)]
pub enum ControlError {
    /// The programs of the control are none.
    #[error("the programs of the control: {0}")]
    Parse(#[from] ParseError),
    /// They could not be tried.
    #[error("the control: {0}")]
    Look(#[from] LookError),
    /// The watchers are blind.
    #[error("the control got out and the watchers saw nothing of it: {0:?}")]
    Blind(Vec<EvidenceKind>),
}

/// Tries the programs on a ground where nothing is confined.
///
/// # Errors
/// When not every kind of effect was seen.
pub fn control(bare: &Ground<'_>) -> Result<(), ControlError> {
    let seen = bare.look(&Program::parse_all(PROGRAMS)?)?;
    let kinds: BTreeSet<EvidenceKind> = seen.evidence.iter().map(|one| one.kind).collect();
    let blind: Vec<EvidenceKind> = KINDS.into_iter().filter(|kind| !kinds.contains(kind)).collect();
    if blind.is_empty() { Ok(()) } else { Err(ControlError::Blind(blind)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_programs_of_the_control_are_programs() {
        assert_eq!(Program::parse_all(PROGRAMS).unwrap().len(), KINDS.len());
    }
}
