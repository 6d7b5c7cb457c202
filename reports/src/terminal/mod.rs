//! The report for people: a table for each backend, every red cell with its evidence, the residue,
//! and the tier. Plain text; colours only where they are asked for.

mod table;

use crate::details::{Details, headline};
use crate::record::{Column, Flaw, Outcome, Record};
use crate::text;
use crate::verdict::{BackendVerdict, Depth, HookDifference, KeptLimits, Verdict, Why};
use backends::tier::Tier;
use std::collections::BTreeMap;
use std::fmt::Display;

/// Whether lines are coloured: only on a terminal, and only if its user did not forbid it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Colour {
    /// No escape sequence at all.
    Off,
    /// Green, yellow and red lines.
    On,
}

/// The colours as SGR parameters (ECMA-48, 8.3.117).
const RED: &str = "31";
const GREEN: &str = "32";
const YELLOW: &str = "33";

/// The whole report. It ends with one line a backend.
pub fn render(verdict: &Verdict, records: &[Record], colour: Colour) -> String {
    let details = Details::of(records);
    let mut page = Page { text: String::new(), colour };
    for backend in &verdict.backends {
        page.backend(backend, &details);
    }
    page.depth(&verdict.depth);
    page.plain(text::line(verdict.limits));
    page.plain("");
    for backend in &verdict.backends {
        let line = format!("{}: {}", text::line(&backend.name), standing(backend));
        page.coloured(tier_colour(backend), line);
    }
    page.text
}

fn standing(backend: &BackendVerdict) -> String {
    match backend.tier {
        Some(Tier::S0) => "S0, no rung is earned".to_owned(),
        Some(tier) => format!("{tier} is earned"),
        None => "not judged".to_owned(),
    }
}

fn tier_colour(backend: &BackendVerdict) -> &'static str {
    match backend.tier {
        Some(Tier::S1 | Tier::S2) => GREEN,
        Some(Tier::S0) => RED,
        None => YELLOW,
    }
}

/// Text that grows by lines.
struct Page {
    text: String,
    colour: Colour,
}

impl Page {
    fn plain(&mut self, line: impl Display) {
        self.text.push_str(&format!("{line}\n"));
    }

    fn coloured(&mut self, colour: &str, line: impl Display) {
        match self.colour {
            Colour::Off => self.plain(line),
            Colour::On => self.plain(format_args!("\u{1b}[{colour}m{line}\u{1b}[0m")),
        }
    }

    fn backend(&mut self, backend: &BackendVerdict, details: &Details<'_>) {
        let mechanism = backend.mechanism.as_deref().unwrap_or("no mechanism");
        self.plain(format_args!("{} ({})", text::line(&backend.name), text::line(mechanism)));
        if let Some(warning) = details.warning(&backend.name) {
            self.coloured(YELLOW, format_args!("  warning: {warning}"));
        }
        if let Some(why) = details.unavailable(&backend.name) {
            self.coloured(YELLOW, format_args!("  unavailable: {why}"));
        }
        for missing in details.missing(&backend.name) {
            self.coloured(RED, format_args!("  unprotected: {missing}"));
        }
        if let Some(table) = table::of(backend) {
            self.plain("");
            self.plain(table);
        }
        self.plain("");
        self.red_cells(backend, details);
        self.red_work(backend, details);
        for residue in &backend.residue {
            let place = format!("{}, {}", text::line(&residue.escape), residue.runtime.name());
            let reason = text::line(&residue.reason);
            self.coloured(YELLOW, format_args!("  residue: {place}: {reason}"));
        }
        self.hook(&backend.hook);
        self.limits(&backend.kept_limits);
        self.obstacles(backend);
        self.coloured(tier_colour(backend), format_args!("  tier: {}", standing(backend)));
        self.plain("");
    }

    fn red_cells(&mut self, backend: &BackendVerdict, details: &Details<'_>) {
        for cell in &backend.cells {
            match cell.outcome {
                Outcome::Held { .. } | Outcome::Residue { .. } | Outcome::NotApplicable { .. } => {
                    continue;
                }
                Outcome::Escaped { .. } | Outcome::Stale { .. } | Outcome::Inconclusive { .. } => {}
            }
            let column = Column { runtime: cell.runtime, hook: cell.hook };
            let place = format!("{}, {column}", text::line(&cell.escape));
            self.coloured(RED, format_args!("  {place}: {}", headline(&cell.outcome)));
            for line in details.cell(&backend.name, cell) {
                self.plain(format_args!("      {line}"));
            }
        }
    }

    fn red_work(&mut self, backend: &BackendVerdict, details: &Details<'_>) {
        for work in &backend.useful {
            let Some(flaw) = work.outcome.flaw().map(Flaw::name) else { continue };
            let column = Column { runtime: work.runtime, hook: work.hook };
            let place = format!("{}, {column}", text::line(&work.case));
            self.coloured(RED, format_args!("  {place}: {}: {flaw}", work.outcome.name()));
            for line in details.useful(&backend.name, work) {
                self.plain(format_args!("      {line}"));
            }
        }
    }

    fn hook(&mut self, hook: &HookDifference) {
        for (what, escapes) in [
            ("stopped by the hook only", &hook.hook_only),
            ("not seen by the hook", &hook.hook_blind),
            ("twin broken by the hook", &hook.broke_the_twin),
            ("useful work broken by the hook", &hook.broke_useful_work),
        ] {
            if !escapes.is_empty() {
                let names: Vec<String> = escapes.iter().map(|name| text::line(name)).collect();
                self.plain(format_args!("  {what}: {}", names.join(", ")));
            }
        }
    }

    /// The limits, which no tier rests on.
    fn limits(&mut self, limits: &KeptLimits) {
        let told: Vec<String> = limits
            .counts
            .named()
            .into_iter()
            .filter(|(_, count)| *count > 0)
            .map(|(name, count)| format!("{count} {name}"))
            .collect();
        if told.is_empty() && limits.exceeded.is_empty() && limits.inconclusive.is_empty() {
            return;
        }
        let promised = if limits.promised { "" } else { " (not promised)" };
        self.plain(format_args!("  limits{promised}, apart from the tier: {}", told.join(", ")));
        for (what, names) in
            [("exceeded", &limits.exceeded), ("not shown either way", &limits.inconclusive)]
        {
            if !names.is_empty() {
                let names: Vec<String> = names.iter().map(|name| text::line(name)).collect();
                let colour = if limits.promised { RED } else { YELLOW };
                self.coloured(colour, format_args!("  limits {what}: {}", names.join(", ")));
            }
        }
    }

    /// How deep each escape is held: those that one layer alone stops, by that layer.
    fn depth(&mut self, rows: &[Depth]) {
        if rows.is_empty() {
            return;
        }
        let mut by: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for row in rows {
            let layers: Vec<String> =
                row.stopped_by.iter().map(|layer| text::line(layer)).collect();
            let what = match layers.as_slice() {
                [] => "no layer alone".to_owned(),
                [layer] => format!("{layer} alone"),
                [_, _, ..] => continue,
            };
            let name = format!("{} ({})", text::line(&row.escape), row.runtime.name());
            by.entry(what).or_default().push(name);
        }
        self.plain("depth: where one layer alone is in the way, one bug suffices");
        for (what, names) in by {
            self.plain(format_args!("  {what}: {}", names.join(", ")));
        }
        self.plain("");
    }

    /// What stands in the way, by kind, since one kind may have many subjects.
    fn obstacles(&mut self, backend: &BackendVerdict) {
        let mut kinds: BTreeMap<Why, Vec<String>> = BTreeMap::new();
        for obstacle in &backend.stands_in_the_way {
            let subject = text::line(&obstacle.subject);
            kinds.entry(obstacle.why).or_default().push(match obstacle.runtime {
                Some(runtime) => format!("{subject} ({})", runtime.name()),
                None => subject,
            });
        }
        for (why, subjects) in kinds {
            let subjects = subjects.join(", ");
            self.plain(format_args!("  in the way, {}: {subjects}", why.name()));
        }
    }
}

#[cfg(test)]
mod tests;
