//! The checks of a rule: each word is loaded once for as many comparisons as can share it, and a mask is
//! compared without another instruction where its bits are wanted all unset, or the only one set.

use super::super::Late;
use super::{Action, Comparison, Errno, Instruction, Layout, Place, bpf};
use std::collections::BTreeSet;

/// What was loaded last: the word at an offset, and the bits that are left of it.
type Word = (u32, u32);

/// A way to compare a word.
enum Test {
    /// The whole word, by the comparison: which instruction, and whether it says that the comparison fails.
    Whole(Instruction, bool),
    /// Some bits, which are cut out before; or all of them, which need not be.
    Cut(Instruction),
}

impl Comparison {
    fn test(&self) -> Test {
        let equal = Instruction::statement(bpf::JUMP_IF_EQUAL, self.operand);
        let any_bit = Instruction::statement(bpf::JUMP_IF_ANY_BIT, self.mask);
        match self.late {
            None if self.operand == 0 => Test::Whole(any_bit, true),
            None if self.mask.is_power_of_two() && self.operand == self.mask => {
                Test::Whole(any_bit, false)
            }
            Some(_) | None => Test::Cut(equal),
        }
    }

    /// What is loaded once it was made.
    fn leaves(&self) -> Word {
        match self.test() {
            Test::Whole(..) => (self.offset, u32::MAX),
            Test::Cut(_) => (self.offset, self.mask),
        }
    }

    /// The value of a whole word that is known now.
    fn value(&self) -> Option<u32> {
        (self.mask == u32::MAX && self.late.is_none()).then_some(self.operand)
    }
}

/// Clauses that are compared together.
enum Piece<'c> {
    /// The word at an offset is one of these values.
    Values(u32, BTreeSet<u32>),
    /// They begin with the same comparison.
    Clauses(&'c [&'c [Comparison]]),
}

impl Piece<'_> {
    /// What is loaded when it fails, if that is the same on every way out of it.
    fn leaves(&self) -> Option<Word> {
        match self {
            Self::Values(offset, _) => Some((*offset, u32::MAX)),
            Self::Clauses([[only]]) => Some(only.leaves()),
            Self::Clauses(_) => None,
        }
    }
}

fn pieces<'c>(clauses: &'c [&'c [Comparison]]) -> Vec<Piece<'c>> {
    let mut pieces: Vec<Piece<'c>> = Vec::new();
    for group in clauses.chunk_by(|one, next| one.first() == next.first()) {
        let value = match group {
            [[only]] => only.value().map(|value| (only.offset, value)),
            _ => None,
        };
        match (value, pieces.last_mut()) {
            (Some((offset, value)), Some(Piece::Values(same, values))) if *same == offset => {
                values.insert(value);
            }
            (Some((offset, value)), _) => pieces.push(Piece::Values(offset, [value].into())),
            (None, _) => pieces.push(Piece::Clauses(group)),
        }
    }
    pieces
}

impl Layout<'_> {
    pub(super) fn checks(
        &mut self,
        clauses: &[Vec<Comparison>],
        right: Action,
        otherwise: Errno,
    ) -> Place {
        let otherwise = self.return_(Action::Errno(otherwise));
        let clauses: Vec<&[Comparison]> = clauses.iter().map(Vec::as_slice).collect();
        self.alternatives(&clauses, None, right, otherwise)
    }

    /// The key: none at all is an answer, a wrong one is the end.
    pub(super) fn once(&mut self, second: u8) -> Place {
        let missing = self.return_(Action::Errno(Errno::Enosys));
        let wrong = self.return_(Action::KillProcess);
        let right = self.return_(Action::Allow);
        let upper_half = |argument| {
            Instruction::statement(bpf::LOAD, bpf::argument_offset(argument) + bpf::UPPER_HALF)
        };
        self.late(Late::KeyFirst, right, wrong);
        let first = self.push(upper_half(0));
        let whole = self.late(Late::KeySecond, first, wrong);
        let none = Instruction::statement(bpf::JUMP_IF_EQUAL, 0);
        self.branch(none, missing, whole);
        self.push(upper_half(second))
    }

    fn late(&mut self, late: Late, holds: Place, fails: Place) -> Place {
        let equal = Instruction::statement(bpf::JUMP_IF_EQUAL, late.marker());
        let place = self.branch(equal, holds, fails);
        if let Some(line) = self.lines.last_mut() {
            line.late = Some(late);
        }
        place
    }

    /// The clauses, one after another: each is answered by `right` if it holds, and leads to `fails` if none does.
    /// `loaded` is what is loaded before the first.
    fn alternatives(
        &mut self,
        clauses: &[&[Comparison]],
        loaded: Option<Word>,
        right: Action,
        fails: Place,
    ) -> Place {
        let pieces = pieces(clauses);
        let mut next = fails;
        for (index, piece) in pieces.iter().enumerate().rev() {
            let before = match index.checked_sub(1) {
                None => loaded,
                Some(before) => pieces[before].leaves(),
            };
            next = match piece {
                Piece::Values(offset, values) => self.values(*offset, values, before, right, next),
                Piece::Clauses(clauses) => self.group(clauses, before, right, next),
            };
        }
        next
    }

    /// Whether a word is one of some values, the highest first: a run of three or more takes the two
    /// comparisons of its ends.
    fn values(
        &mut self,
        offset: u32,
        values: &BTreeSet<u32>,
        loaded: Option<Word>,
        right: Action,
        fails: Place,
    ) -> Place {
        let values: Vec<u32> = values.iter().copied().collect();
        let mut next = fails;
        for run in values.chunk_by(|one, two| one.checked_add(1) == Some(*two)) {
            let [first, _, .., last] = *run else {
                next = self.each(run, right, next);
                continue;
            };
            let right = self.return_(right);
            let at_least = |value| Instruction::statement(bpf::JUMP_IF_AT_LEAST, value);
            let within = if first == 0 { right } else { self.branch(at_least(first), right, next) };
            next = match last.checked_add(1) {
                // What is above was looked at before.
                Some(above) => self.branch(at_least(above), fails, within),
                None => within,
            };
        }
        self.load((offset, u32::MAX), loaded, next)
    }

    fn each(&mut self, values: &[u32], right: Action, mut next: Place) -> Place {
        for value in values {
            let right = self.return_(right);
            let equal = Instruction::statement(bpf::JUMP_IF_EQUAL, *value);
            next = self.branch(equal, right, next);
        }
        next
    }

    /// Clauses that begin with the same comparison: it, then what is left of each.
    fn group(
        &mut self,
        clauses: &[&[Comparison]],
        loaded: Option<Word>,
        right: Action,
        fails: Place,
    ) -> Place {
        let Some(comparison) = clauses.first().and_then(|clause| clause.first()) else {
            return self.return_(right);
        };
        let rests: Vec<_> = clauses.iter().filter_map(|clause| clause.get(1..)).collect();
        let holds = if rests.iter().any(|rest| rest.is_empty()) {
            self.return_(right)
        } else {
            self.alternatives(&rests, Some(comparison.leaves()), right, fails)
        };
        let (test, [then, otherwise]) = match comparison.test() {
            Test::Whole(test, true) => (test, [fails, holds]),
            Test::Whole(test, false) | Test::Cut(test) => (test, [holds, fails]),
        };
        let place = self.branch(test, then, otherwise);
        if let Some(line) = self.lines.last_mut() {
            line.late = comparison.late;
        }
        self.load(comparison.leaves(), loaded, place)
    }

    /// Loads what is wanted, as far as it is not there already.
    fn load(&mut self, wanted: Word, loaded: Option<Word>, mut place: Place) -> Place {
        let (offset, mask) = wanted;
        if loaded == Some(wanted) {
            return place;
        }
        if mask != u32::MAX {
            place = self.push(Instruction::statement(bpf::AND, mask));
        }
        if loaded == Some((offset, u32::MAX)) {
            return place;
        }
        self.push(Instruction::statement(bpf::LOAD, offset))
    }
}
