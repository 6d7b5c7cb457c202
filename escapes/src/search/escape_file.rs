//! A counterexample as the file of an escape: what it needs is in it, and what only its author can say is
//! marked.

use super::calls::{Argument, Fixed, Gives, Shows};
use super::ground::{FURNITURE, Furniture};
use super::hunt::Hole;
use super::program::Operation;
use super::words::{Word, object};
use fixtures::decoy::EvidenceKind;
use std::collections::BTreeSet;
use std::fmt::Write;

/// The word for a kind of effect.
pub fn kind_name(kind: EvidenceKind) -> &'static str {
    match kind {
        EvidenceKind::TokenLeaked => "token-leaked",
        EvidenceKind::TreeChanged => "tree-changed",
        EvidenceKind::Contacted => "contacted",
        EvidenceKind::VictimChanged => "victim-changed",
        EvidenceKind::ProcessSeen => "process-seen",
        EvidenceKind::ObjectHeld => "object-held",
        EvidenceKind::ObjectChanged => "object-changed",
        EvidenceKind::LimitExceeded => "limit-exceeded",
    }
}

/// The text of the file, to be put into the folder of a family.
pub fn escape_file(hole: &Hole, backend: &str) -> String {
    let furniture = furniture(hole);
    let paths: BTreeSet<&str> = furniture.iter().map(|piece| piece.path).collect();
    let names: Vec<&str> = furniture.iter().map(|piece| piece.name).collect();
    let mut text = format!(
        "//! Found by `escapology search` under {backend}: {} by {}.\n\nuse crate::search;\n",
        kind_name(hole.kind),
        hole.label,
    );
    for path in paths {
        let _to_a_string = writeln!(text, "use {path};");
    }
    let name: String = hole
        .label
        .chars()
        .map(|character| if character.is_ascii_alphanumeric() { character } else { '_' })
        .collect();
    let _to_a_string = write!(
        text,
        "use harness::escape::Escape;

pub(super) const ESCAPES: &[Escape] = &[Escape {{
    // The family and the name of this file, and the layers of which each alone must stop it.
    id: \"FAMILY/{}\",
    summary: \"{}\",
    stops: &[],
    decoys: &[{}],
    native: Some(|scene| search::attempt(scene, PROGRAM)),
    ..Escape::BLANK
}}];

const PROGRAM: &str = \"\\
{}\";
",
        name.replace('_', "-"),
        summary(hole),
        names.join(", "),
        hole.program,
    );
    text
}

fn summary(hole: &Hole) -> String {
    format!("Get out by {}, which a search found", hole.label)
}

/// The decoys without which the program has no effect.
fn furniture(hole: &Hole) -> Vec<&'static Furniture> {
    let mut needed: BTreeSet<&str> = BTreeSet::new();
    for operation in &hole.program.0 {
        needed.extend(needs(operation));
    }
    FURNITURE.iter().filter(|piece| needed.contains(piece.clue)).collect()
}

/// The clues that an operation needs, and the looks.
fn needs(operation: &Operation) -> Vec<&'static str> {
    let mut needs = Vec::new();
    for argument in operation.call.arguments {
        match argument {
            Argument::Fixed(Fixed::VictimVector | Fixed::VictimByte) => needs.push("victim"),
            Argument::Fixed(Fixed::Clue(clue) | Fixed::Text(clue)) => needs.push(of_piece(clue)),
            Argument::Program => needs.push("marker-a"),
            Argument::Fixed(_)
            | Argument::Choice(_)
            | Argument::Descriptor
            | Argument::Directory
            | Argument::Place
            | Argument::Address => {}
        }
    }
    for word in &operation.words {
        match word {
            Word::Name(name) => needs.push(name),
            Word::Place { object: name, spelling } => {
                needs.extend(object(name).and_then(|object| object.clue).map(of_piece));
                needs.extend((*spelling == "victim-root").then_some("victim"));
            }
        }
    }
    needs.extend(match operation.call.shows {
        Shows::Nothing => None,
        Shows::Descriptor(_) => Some("held descriptor"),
        Shows::Socket => Some("held socket"),
        Shows::State => Some("state"),
        Shows::Victim => Some("victim"),
    });
    if operation.call.gives == Gives::Process || operation.call.name == "execveat.descriptor" {
        needs.push("marker-a");
    }
    needs
}

/// The clue by which a decoy is known that gives several.
fn of_piece(clue: &'static str) -> &'static str {
    match clue {
        "victim-folder" | "victim-fd" => "victim",
        "shm-new" => "shm-path",
        "mqueue-new" => "mqueue",
        "key-serial" => "key",
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::super::program::Program;
    use super::*;
    use std::time::Duration;

    fn hole(text: &str) -> Hole {
        let program = Program::parse_all(text).unwrap().remove(0);
        Hole {
            kind: EvidenceKind::VictimChanged,
            label: program.deciding().unwrap().label(),
            program,
            detail: String::new(),
            case: 7,
            after: Duration::ZERO,
            repeated: true,
        }
    }

    #[test]
    fn a_counterexample_is_the_file_of_an_escape() {
        let text = escape_file(&hole("pidfd_open\npidfd_send_signal last user"), "landlock");
        assert_eq!(
            text,
            "//! Found by `escapology search` under landlock: victim-changed by pidfd_open victim.

use crate::search;
use fixtures::watch::held::HELD_DESCRIPTOR;
use fixtures::watch::victim::VICTIM;
use harness::escape::Escape;

pub(super) const ESCAPES: &[Escape] = &[Escape {
    // The family and the name of this file, and the layers of which each alone must stop it.
    id: \"FAMILY/pidfd-open-victim\",
    summary: \"Get out by pidfd_open victim, which a search found\",
    stops: &[],
    decoys: &[VICTIM, HELD_DESCRIPTOR],
    native: Some(|scene| search::attempt(scene, PROGRAM)),
    ..Escape::BLANK
}];

const PROGRAM: &str = \"\\
pidfd_open
pidfd_send_signal last user
\";
"
        );
    }

    #[test]
    fn every_decoy_that_a_program_needs_stands_in_its_file() {
        for (text, decoys) in [
            ("openat working secret:victim-root read", "[VICTIM]"),
            ("openat working shared-memory:dotted read", "[SHM_DEV]"),
            ("read inherited-secret", "[INHERITED_SECRET]"),
            ("connect last tcp4", "[TCP4]"),
            ("shmget\nshmat", "[&Object(Kind::Memory)]"),
            ("mq_open.new", "[MQUEUE]"),
            ("clone child", "[MARKER]"),
            ("execve shell", "[MARKER]"),
            ("unshare user", "[NAMESPACE, PERSONALITY, ROOT]"),
            ("openat working secret:absolute read", "[]"),
        ] {
            let file = escape_file(&hole(text), "none");
            assert!(file.contains(&format!("decoys: &{decoys},")), "{file}");
        }
    }
}
