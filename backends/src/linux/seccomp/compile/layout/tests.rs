//! Tests of what the layout promises of single pieces; whole programs are compared in `equivalence`.

use super::super::super::{Action, Errno, SeccompData, interpret};
use super::*;

/// A conditional jump has eight bits for the way, and a jump to a place takes room itself.
#[test]
fn a_comparison_leads_to_both_of_its_places_however_far_they_are() {
    const LINES: usize = 300;
    let distances: Vec<usize> = [0, 1, 2, 128].into_iter().chain(252..=259).chain([299]).collect();
    for holds in &distances {
        for fails in &distances {
            let mut layout = Layout::default();
            for place in 1..=LINES {
                layout.push(Instruction::statement(bpf::RETURN, place as u32));
            }
            let [holds, fails] = [LINES - holds, LINES - fails];
            layout.branch(Instruction::statement(bpf::JUMP_IF_EQUAL, 7), holds, fails);
            layout.push(Instruction::statement(bpf::LOAD, bpf::NUMBER_OFFSET));
            let program: Vec<Instruction> =
                layout.lines.iter().rev().map(|line| line.instruction).collect();
            let run = |nr| {
                let data = SeccompData { nr, arch: 0, instruction_pointer: 0, args: [0; 6] };
                interpret(&program, &data).unwrap() as usize
            };
            assert_eq!((run(7), run(8)), (holds, fails));
        }
    }
}

#[test]
fn a_jump_is_written_only_where_a_comparison_does_not_reach() {
    let jumps = |distance: usize| {
        let mut layout = Layout::default();
        for place in 0..=distance {
            layout.push(Instruction::statement(bpf::RETURN, place as u32));
        }
        layout.branch(Instruction::statement(bpf::JUMP_IF_EQUAL, 7), 1, distance + 1);
        layout.lines.iter().filter(|line| line.instruction.code == bpf::JUMP).count()
    };
    assert_eq!([0, 1, 254, 255, 256].map(jumps), [0, 0, 0, 1, 1]);
}

/// The answer of a program for a call of this number whose first argument is 1.
fn answer(lines: &[Line], nr: u32) -> Option<Action> {
    let mut program = vec![Instruction::statement(bpf::LOAD, bpf::NUMBER_OFFSET)];
    program.extend(lines.iter().map(|line| line.instruction));
    let data = SeccompData { nr, arch: 0, instruction_pointer: 0, args: [1; 6] };
    Action::from_return_value(interpret(&program, &data).unwrap())
}

/// The clause without a check comes first and needs no instruction, so the program begins elsewhere than
/// where it was written last.
#[test]
fn a_program_begins_with_its_root_wherever_that_was_written() {
    let comparison = Comparison { offset: 16, mask: u32::MAX, operand: 7, late: None };
    let of = |clauses| {
        let block = Block::Checked { clauses, holds: Action::Allow, otherwise: Errno::Eperm };
        answer(&lay_out(&[Run { first: 0, block }]), 5)
    };
    assert_eq!(of(vec![vec![], vec![comparison]]), Some(Action::Allow));
    assert_eq!(of(vec![vec![comparison]]), Some(Action::Errno(Errno::Eperm)));
}

#[test]
fn one_number_amid_others_takes_one_comparison() {
    let run = |first, action| Run { first, block: Block::Return(action) };
    let runs = [run(0, Action::KillProcess), run(5, Action::Allow), run(6, Action::KillProcess)];
    let lines = lay_out(&runs);
    assert_eq!(lines.len(), 3);
    let answers = [4, 5, 6].map(|nr| answer(&lines, nr));
    assert_eq!(answers, [Action::KillProcess, Action::Allow, Action::KillProcess].map(Some));
}
