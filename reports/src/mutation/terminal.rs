//! The end of a gate on a terminal: counts, and whatever needs somebody.

use super::{Fate, Matrix};
use crate::text;

/// The summary, some lines of plain text.
pub fn render(matrix: &Matrix) -> String {
    let part = matrix.part.as_deref().map(|part| format!(" ({})", text::line(part)));
    let mut lines = vec![format!("{} mutants{}", matrix.rows.len(), part.unwrap_or_default())];
    for name in Fate::NAMES {
        lines.push(format!("  {name:<10} {:>4}", matrix.count(name)));
    }
    let survivors = matrix.rows.iter().filter(|row| row.fate == Fate::Survived);
    lines.extend(survivors.map(|row| format!("survived: {}", text::line(&row.id()))));
    lines.extend(matrix.unexplained().map(|escape| format!("idle: {}", text::line(escape))));
    lines.extend(
        matrix
            .unusable
            .iter()
            .map(|(escape, why)| format!("unusable: {}: {}", text::line(escape), text::line(why))),
    );
    lines.extend(matrix.stale.iter().map(|name| format!("stale reason: {}", text::line(name))));
    lines.join("\n") + "\n"
}
