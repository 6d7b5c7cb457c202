//! A gate as a page of documentation, in Markdown. The same matrix gives the same bytes.

use super::{Fate, Matrix, Row};
use crate::text;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// The whole page.
pub fn render(matrix: &Matrix) -> String {
    let mut page = String::from(HEAD);
    let mut add = |text: &str| page.push_str(text);
    add(&format!("\nHost: `{}`", cell(&matrix.host)));
    if let Some(part) = &matrix.part {
        add(&format!(", a part only: {}", cell(part)));
    }
    add(&format!(". {} mutants:\n\n| fate | mutants |\n|---|---|\n", matrix.rows.len()));
    for name in Fate::NAMES {
        add(&format!("| {name} | {} |\n", matrix.count(name)));
    }
    add(&survivors(matrix));
    add(&justified(matrix));
    add(&masked(matrix));
    add(&idle(matrix));
    add(&layers(matrix));
    page
}

const HEAD: &str = "\
# The mutation gate

Written by `escapology mutate --out`, not by hand. Each row is one change of the policy of `native` or of
the Python hook, tried on a real kernel. It is *killed* by an escape that names the rule, was held without the change
and gets out with it (or, for a stricter or an untrue change, by useful work that breaks). It is *masked* if that
happens only once the other rules are dropped too that the escape names: they are redundant by design. *Equivalent*
means that the kernel is told the same, *absent* that this host has nothing which the rule denies, *justified* that
nobody notices and why that is right.
";

/// Text for a cell of a table.
fn cell(text: &str) -> String {
    text::line(text).replace('|', "\\|").replace(['<', '>', '`'], "")
}

fn section(title: &str, intro: &str, lines: Vec<String>) -> String {
    if lines.is_empty() {
        return String::new();
    }
    format!("\n## {title}\n\n{intro}{}\n", lines.join("\n"))
}

fn survivors(matrix: &Matrix) -> String {
    let survived = matrix.rows.iter().filter(|row| row.fate == Fate::Survived);
    let mut lines: Vec<String> =
        survived.map(|row| format!("* `{}` survived", cell(&row.id()))).collect();
    lines.extend(matrix.unexplained().map(|escape| format!("* `{}` is idle", cell(escape))));
    lines.extend(
        matrix.stale.iter().map(|name| format!("* the reason for `{}` is stale", cell(name))),
    );
    section("Open", "", lines)
}

/// Reasons, each with the mutants that it is the reason for.
fn justified(matrix: &Matrix) -> String {
    let mut reasons: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for row in &matrix.rows {
        if let Fate::Justified { reason } = &row.fate {
            reasons.entry(reason).or_default().push(format!("`{}`", cell(&row.id())));
        }
    }
    let line =
        |(reason, rows): (&str, Vec<String>)| format!("* {}: {}", rows.join(", "), cell(reason));
    section("Justified", "", reasons.into_iter().map(line).collect())
}

fn masked(matrix: &Matrix) -> String {
    let mut lines = vec![
        "| mutant | killed by | once these are dropped |".to_owned(),
        "|---|---|---|".to_owned(),
    ];
    for row in &matrix.rows {
        if let Fate::Masked { by, behind } = &row.fate {
            let behind: Vec<String> = behind.iter().map(|rule| cell(rule)).collect();
            lines.push(format!("| {} | {} | {} |", cell(&row.id()), cell(by), behind.join(", ")));
        }
    }
    if lines.len() == 2 {
        return String::new();
    }
    section("Masked: redundant by design", "", lines)
}

fn idle(matrix: &Matrix) -> String {
    let mut reasons: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for (escape, reason) in &matrix.idle {
        if let Some(reason) = reason {
            reasons.entry(reason).or_default().push(format!("`{}`", cell(escape)));
        }
    }
    let line = |(reason, escapes): (&str, Vec<String>)| {
        format!("* {}: {}", escapes.join(", "), cell(reason))
    };
    section(
        "Escapes that kill nothing, and why they stay",
        "",
        reasons.into_iter().map(line).collect(),
    )
}

/// All rows by layer, with everyone that killed: the trials end with the first for most mutants.
fn layers(matrix: &Matrix) -> String {
    let mut layers: BTreeMap<&str, Vec<&Row>> = BTreeMap::new();
    for row in &matrix.rows {
        layers.entry(row.rule.split('/').next().unwrap_or_default()).or_default().push(row);
    }
    let mut page = String::new();
    for (layer, rows) in layers {
        // Writing to a string does not fail.
        let _ = write!(
            page,
            "\n## All of `{}`\n\n| mutant | fate | killed by |\n|---|---|---|\n",
            cell(layer)
        );
        for row in rows {
            let killers: BTreeSet<String> = row
                .trials
                .iter()
                .filter(|trial| ["escaped", "broken"].contains(&trial.with.as_str()))
                .map(|trial| cell(&trial.by))
                .collect();
            let killers: Vec<String> = killers.into_iter().collect();
            let _ = writeln!(
                page,
                "| {} | {} | {} |",
                cell(&row.id()),
                row.fate.name(),
                killers.join(", ")
            );
        }
    }
    page
}
