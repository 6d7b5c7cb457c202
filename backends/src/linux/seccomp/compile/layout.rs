//! The search tree and what it leads to, laid out for the cost of installing it: the kernel translates
//! the program for every launch, at about a sixth of a microsecond for each instruction.
//!
//! * One number amid others that are treated alike takes one comparison, not the two of a search.
//! * What many numbers share, a return or the checks of a family, stands once.
//!
//! It is written from its end to its start, because jumps only lead forward: whatever an instruction
//! jumps to has its place by then. Each comparison says where it goes on either way, so nothing falls
//! from one piece of code into the next by accident.

mod checks;

use super::super::bpf::{self, Instruction};
use super::super::filter::{Action, Errno};
use super::{Late, Line};

/// Numbers of a cell that are treated otherwise than the rest of it, at most. More of them make the
/// program shorter and a decision longer.
const EXCEPTIONS: usize = 3;

/// Numbers that the kernel decides in advance, about: it does so for each call that it has.
const DECIDED: u32 = 480;

/// Adjacent numbers that are treated alike, from `first` to the next run.
#[derive(Debug)]
pub(super) struct Run {
    pub(super) first: u32,
    pub(super) block: Block,
}

/// What is done with a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Block {
    /// The same for all.
    Return(Action),
    /// One action if every comparison of one clause holds.
    Checked { clauses: Vec<Vec<Comparison>>, holds: Action, otherwise: Errno },
    /// Allowed with the key of the launch, whose second half this argument carries.
    Once { second: u8 },
}

/// A comparison of one 32-bit word of `struct seccomp_data`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Comparison {
    pub(super) offset: u32,
    pub(super) mask: u32,
    pub(super) operand: u32,
    pub(super) late: Option<Late>,
}

/// A program that looks up the loaded number among the runs, which must begin with number 0.
pub(super) fn lay_out(runs: &[Run]) -> Vec<Line> {
    let mut layout = Layout::default();
    let root = layout.tree(&cells(runs));
    if layout.distance(root) > 0 {
        layout.jump(root);
    }
    layout.lines.reverse();
    layout.lines
}

/// A run with single numbers in it that are treated otherwise.
#[derive(Debug)]
struct Cell<'a> {
    first: u32,
    /// How many of its numbers the kernel decides in advance.
    decided: u32,
    block: &'a Block,
    exceptions: Vec<&'a Run>,
}

/// Takes runs together as long as they differ in single numbers.
fn cells(runs: &[Run]) -> Vec<Cell<'_>> {
    let mut cells: Vec<Cell<'_>> = Vec::new();
    let mut rest = runs;
    while let [run, after @ ..] = rest {
        let mut cell =
            Cell { first: run.first, decided: 0, block: &run.block, exceptions: Vec::new() };
        rest = after;
        while let [single, again, after @ ..] = rest
            && again.first == single.first + 1
            && again.block == *cell.block
            && cell.exceptions.len() < EXCEPTIONS
        {
            cell.exceptions.push(single);
            rest = after;
        }
        let end = rest.first().map_or(DECIDED, |next| next.first.min(DECIDED));
        cell.decided = end.saturating_sub(cell.first);
        cells.push(cell);
    }
    cells
}

/// Where to part cells so that either side has about as many numbers to decide: a wide one is found soon.
fn middle(cells: &[Cell<'_>]) -> usize {
    let all: u32 = cells.iter().map(|cell| cell.decided).sum();
    let below = |index: usize| cells[..index].iter().map(|cell| cell.decided).sum::<u32>();
    (1..cells.len()).min_by_key(|&index| (2 * below(index)).abs_diff(all)).unwrap_or(1)
}

/// A place in the program, counted from its end, of an instruction that is there already.
type Place = usize;

/// The program so far, its last instruction first.
#[derive(Debug, Default)]
struct Layout<'a> {
    lines: Vec<Line>,
    /// Blocks that stand already: of several copies the one nearest to the start.
    begins: Vec<(&'a Block, Place)>,
    /// The same of returns that blocks share.
    returns: Vec<(Action, Place)>,
}

impl<'a> Layout<'a> {
    fn push(&mut self, line: impl Into<Line>) -> Place {
        self.lines.push(line.into());
        self.lines.len()
    }

    /// How many instructions lie between the next one to be written and a place.
    fn distance(&self, place: Place) -> usize {
        self.lines.len() - place
    }

    /// Whether a comparison that is written soon reaches the place.
    fn is_near(&self, place: Place) -> bool {
        self.distance(place) < usize::from(u8::MAX)
    }

    fn tree(&mut self, cells: &[Cell<'a>]) -> Place {
        if let [cell] = cells {
            return self.cell(cell);
        }
        let (low, high) = cells.split_at(middle(cells));
        let above = self.tree(high);
        let below = self.tree(low);
        let at_least = Instruction::statement(bpf::JUMP_IF_AT_LEAST, high[0].first);
        self.branch(at_least, above, below)
    }

    fn cell(&mut self, cell: &Cell<'a>) -> Place {
        let mut place = self.block(cell.block);
        for single in cell.exceptions.iter().rev() {
            let other = self.block(&single.block);
            let equal = Instruction::statement(bpf::JUMP_IF_EQUAL, single.first);
            place = self.branch(equal, other, place);
        }
        place
    }

    /// Where a block stands within reach.
    fn block(&mut self, block: &'a Block) -> Place {
        if let Block::Return(action) = block {
            return self.return_(*action);
        }
        if let Some(known) = self.begins.iter().position(|(other, _)| *other == block) {
            let place = self.near(self.begins[known].1);
            self.begins[known].1 = place;
            return place;
        }
        let place = match block {
            Block::Return(action) => self.return_(*action),
            Block::Checked { clauses, holds, otherwise } => {
                self.checks(clauses, *holds, *otherwise)
            }
            Block::Once { second } => self.once(*second),
        };
        self.begins.push((block, place));
        place
    }

    /// Where a return stands within reach. A jump to one would be as long as another.
    fn return_(&mut self, action: Action) -> Place {
        if let Some((_, place)) = self.returns.iter().find(|(other, _)| *other == action)
            && self.is_near(*place)
        {
            return *place;
        }
        let place = self.push(Instruction::statement(bpf::RETURN, action.return_value()));
        self.returns.retain(|(other, _)| *other != action);
        self.returns.push((action, place));
        place
    }

    fn jump(&mut self, place: Place) -> Place {
        let distance = self.distance(place);
        self.push(Instruction::statement(bpf::JUMP, distance as u32))
    }

    /// A comparison that goes on at one of two places. A conditional jump reaches 255 instructions only.
    fn branch(&mut self, comparison: Instruction, holds: Place, fails: Place) -> Place {
        let [holds, fails] = [holds, fails].map(|place| self.near(place));
        // Each was near, and at most one jump was written since.
        let [jt, jf] = [holds, fails].map(|place| self.distance(place) as u8);
        self.push(Instruction { code: comparison.code, jt, jf, k: comparison.k })
    }

    /// The place itself, or a jump to it that is nearer.
    fn near(&mut self, place: Place) -> Place {
        if self.is_near(place) { place } else { self.jump(place) }
    }
}

#[cfg(test)]
mod tests;
