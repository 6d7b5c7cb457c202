//! Which rules hold an escape together: what it witnesses, found out by trying.

use super::Gate;
use crate::escape::Escape;
use crate::mutate::bench::Ground;
use reports::record::Outcome;
use std::collections::BTreeSet;

impl Gate<'_> {
    /// Finds a smallest set of rules that hold an escape together: with all of them dropped it gets
    /// out, and with one of them kept it does not. `None` where it is not held, or whatever is dropped.
    pub fn holders(&self, escape: &Escape, hook: bool) -> Option<BTreeSet<String>> {
        Ground::unmutated(hook).runtime(escape)?;
        let held = |outcome| matches!(outcome, Outcome::Held { .. });
        if !held(self.bench.unmutated(escape, hook)) {
            return None;
        }
        let mut rest = self.rules.single(hook);
        let mut needed = BTreeSet::new();
        let out = |needed: &BTreeSet<String>, rest: &[String]| {
            let dropped = needed.iter().chain(rest).cloned().collect();
            let outcome = self.bench.outcome(escape, &self.without(&dropped, hook));
            matches!(outcome, Outcome::Escaped { .. })
        };
        if !out(&needed, &rest) {
            return None;
        }
        while !out(&needed, &[]) {
            // The shortest beginning that is enough ends with a rule that is needed.
            let (mut few, mut enough) = (0, rest.len());
            while enough - few > 1 {
                let middle = few.midpoint(enough);
                if out(&needed, rest.get(..middle)?) { enough = middle } else { few = middle }
            }
            needed.insert(rest.get(enough.checked_sub(1)?)?.clone());
            rest.truncate(enough - 1);
        }
        Some(needed)
    }
}
