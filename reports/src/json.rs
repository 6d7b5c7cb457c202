//! `verdict.json`: the canonical bytes and nothing else, so that its digest is the verdict's.

use crate::verdict::Verdict;

/// The contents of the file.
pub fn render(verdict: &Verdict) -> Vec<u8> {
    verdict.canonical()
}
