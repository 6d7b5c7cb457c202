//! The end of a run: what was seen, judged, row by row.

use super::Gate;
use crate::host;
use crate::mutate::judge::{Seen, Tried, fate};
use crate::mutate::subject::Subject;
use reports::mutation::{Fate, Matrix, Row, Trial};
use reports::record::Outcome;
use std::collections::{BTreeMap, BTreeSet};

impl Gate<'_> {
    pub(super) fn killers(&self) -> BTreeSet<String> {
        (0..self.seen.len())
            .flat_map(|index| self.seen(index).tried)
            .filter(Tried::got_out)
            .map(|tried| tried.escape)
            .collect()
    }

    pub(super) fn matrix(&self) -> Matrix {
        let reason = |id: &str| {
            let row = self.reasons.mutants.iter().find(|(known, _)| *known == id);
            row.map(|(_, reason)| *reason)
        };
        let mut matrix = Matrix { part: self.part.name(), ..Matrix::default() };
        let facts = host::facts();
        // Without the name that its builder gave it.
        let version = facts.kernel.split('-').next().unwrap_or_default();
        matrix.host = format!("linux/{version} {}", facts.architecture);
        for (index, subject) in self.subjects.iter().enumerate() {
            let seen =
                Seen { equivalent: self.equivalent.contains(&subject.id()), ..self.seen(index) };
            let fate = fate(subject.aim(), &seen, reason(&subject.id()));
            matrix.rows.push(row(subject, fate, seen));
        }
        self.add_escapes(&mut matrix);
        if self.part.is_all() {
            matrix.stale = self.stale(&matrix);
        }
        matrix
    }

    /// Which escapes killed nothing, and which could not have.
    fn add_escapes(&self, matrix: &mut Matrix) {
        let killers = self.killers();
        let reasons: BTreeMap<&str, &str> = self.reasons.idle.iter().copied().collect();
        for escape in self.escapes.iter().filter(|escape| !killers.contains(escape.id)) {
            let rows = || matrix.rows.iter().flat_map(|row| &row.trials);
            let Some(trial) = rows().find(|trial| trial.by == escape.id) else {
                if self.part.is_all() {
                    let reason = reasons.get(escape.id).map(ToString::to_string);
                    matrix.idle.insert(escape.id.to_owned(), reason);
                }
                continue;
            };
            if trial.without.starts_with("not-applicable") {
                continue;
            }
            if trial.without.starts_with("inconclusive") {
                matrix.unusable.insert(escape.id.to_owned(), trial.without.clone());
            } else if self.part.is_all() {
                let reason = reasons.get(escape.id).map(ToString::to_string);
                matrix.idle.insert(escape.id.to_owned(), reason);
            }
        }
    }

    fn stale(&self, matrix: &Matrix) -> BTreeSet<String> {
        let justified: BTreeSet<String> = matrix
            .rows
            .iter()
            .filter(|row| matches!(row.fate, Fate::Justified { .. }))
            .map(Row::id)
            .collect();
        // A call that this kernel lacks makes no mutant, and no reason stale.
        let here = |id: &str| self.subjects.iter().any(|subject| subject.id() == id);
        let mutants = self.reasons.mutants.iter().map(|(id, _)| *id);
        let escapes = self.reasons.idle.iter().map(|(id, _)| *id);
        mutants
            .filter(|id| here(id) && !justified.contains(*id))
            .chain(escapes.filter(|id| !matrix.idle.contains_key(*id)))
            .map(str::to_owned)
            .collect()
    }
}

fn row(subject: &Subject, fate: Fate, seen: Seen) -> Row {
    let tried = seen.tried.into_iter().map(|tried| Trial {
        by: tried.escape,
        behind: tried.behind,
        without: word(&tried.without),
        with: word(&tried.with),
    });
    let worked = seen.worked.into_iter().map(|worked| Trial {
        by: worked.case,
        behind: BTreeSet::new(),
        without: worked.without.name().to_owned(),
        with: worked.with.name().to_owned(),
    });
    Row {
        rule: subject.rule().to_owned(),
        change: subject.change().to_owned(),
        fate,
        trials: tried.chain(worked).collect(),
    }
}

/// The outcome, and why it says nothing where it does not.
fn word(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Inconclusive { why } => format!("inconclusive: {}", why.name()),
        Outcome::NotApplicable { evidence } => format!("not-applicable: {evidence}"),
        Outcome::Held { .. }
        | Outcome::Escaped { .. }
        | Outcome::Residue { .. }
        | Outcome::Stale { .. } => outcome.name().to_owned(),
    }
}
