//! Tests of the compiled program's shape; what it decides is compared in `equivalence`.

use super::super::{Errno, Key, SeccompData, decide, interpret, strict};
use super::*;
use std::num::NonZeroU32;

const BOTH: [Arch; 2] = [Arch::X86_64, Arch::Aarch64];
const OWN: Own = Own { pid: 77, key: Some(Key { first: 5, second: NonZeroU32::new(6).unwrap() }) };

fn filter_with(arch: Arch, rules: impl IntoIterator<Item = (&'static str, Rule)>) -> Filter {
    let rules = rules.into_iter().map(|(name, rule)| (name.to_owned(), rule)).collect();
    Filter { rules, ..strict(arch) }
}

fn allow_if(clauses: impl IntoIterator<Item = Clause>) -> Rule {
    Rule::Checked { allow_if: clauses.into_iter().collect(), otherwise: Errno::Eperm }
}

#[test]
fn the_strict_program_is_short() {
    for arch in BOTH {
        let count = compile(&strict(arch)).unwrap().instructions.len();
        assert!((150..300).contains(&count), "{arch:?}: {count}");
    }
}

#[test]
fn every_instruction_is_one_that_the_kernel_can_run_in_advance() {
    let known = [
        bpf::LOAD,
        bpf::AND,
        bpf::JUMP,
        bpf::JUMP_IF_EQUAL,
        bpf::JUMP_IF_AT_LEAST,
        bpf::JUMP_IF_ANY_BIT,
        bpf::RETURN,
    ];
    for arch in BOTH {
        for Instruction { code, k, .. } in compile(&strict(arch)).unwrap().instructions {
            assert!(known.contains(&code), "{code:#x}");
            assert!(code != bpf::LOAD || (k < 64 && k.is_multiple_of(4)), "load from {k}");
        }
    }
}

#[test]
fn calls_that_are_always_allowed_are_decided_without_a_look_at_the_arguments() {
    let filter = strict(Arch::X86_64);
    let instructions = compile(&filter).unwrap().instructions;
    let offsets = |number| -> Vec<u32> {
        let data = SeccompData {
            nr: number,
            arch: filter.arch.audit_value(),
            instruction_pointer: 0,
            args: [0; 6],
        };
        // A program that ends at the first load of an argument, which the interpreter reports.
        let cut = |ins: &Instruction| match ins.code {
            bpf::LOAD if ins.k > 4 => Instruction::statement(u16::MAX, ins.k),
            _ => *ins,
        };
        let cut: Vec<Instruction> = instructions.iter().map(cut).collect();
        interpret(&cut, &data).err().into_iter().map(|_| number).collect()
    };
    for (name, rule) in &filter.rules {
        let number = filter.arch.number(name).unwrap();
        let looks = !matches!(rule, Rule::Always(_));
        assert_eq!(!offsets(number).is_empty(), looks, "{name}");
    }
}

/// How many instructions decide a call without a look at its arguments.
fn steps(program: &[Instruction], number: u32) -> usize {
    let (mut word, mut index, mut steps) = (0, 0, 0);
    loop {
        let Instruction { code, jt, jf, k } = program[index];
        let either = |holds: bool| usize::from(if holds { jt } else { jf });
        steps += 1;
        index += 1 + match code {
            bpf::LOAD if k == bpf::ARCH_OFFSET => {
                word = Arch::X86_64.audit_value();
                0
            }
            bpf::LOAD if k == bpf::NUMBER_OFFSET => {
                word = number;
                0
            }
            bpf::JUMP_IF_EQUAL => either(word == k),
            bpf::JUMP_IF_AT_LEAST => either(word >= k),
            bpf::JUMP => k as usize,
            _ => return steps,
        };
    }
}

#[test]
fn the_numbers_that_the_kernel_decides_in_advance_take_few_steps_together() {
    let program = compile(&strict(Arch::X86_64)).unwrap().instructions;
    let all: usize = (0..470).map(|number| steps(&program, number)).sum();
    assert!((8 * 470..11 * 470).contains(&all), "{} for each", all as f64 / 470.0);
}

#[test]
fn what_is_known_at_the_launch_stands_in_its_slots_and_nowhere_else() {
    for arch in BOTH {
        let program = compile(&strict(arch)).unwrap();
        let patched = program.for_program(&OWN);
        let changed =
            (0..patched.len()).filter(|&index| patched[index] != program.instructions[index]);
        assert!(program.slots.len() > 3, "a process id in several places and both halves of a key");
        let slots: Vec<usize> = program.slots.iter().map(|(slot, _)| *slot).collect();
        assert_eq!(changed.collect::<Vec<_>>(), slots);
        for &(slot, late) in &program.slots {
            let expected = match late {
                Late::Pid => 77,
                Late::KeyFirst => 5,
                Late::KeySecond => 6,
            };
            assert_eq!(program.instructions[slot].k, late.marker());
            assert_eq!((patched[slot].code, patched[slot].k), (bpf::JUMP_IF_EQUAL, expected));
        }
    }
}

#[test]
fn a_program_without_its_process_id_lets_no_process_be_signalled() {
    let arch = Arch::X86_64;
    let program = compile(&strict(arch)).unwrap();
    let kill = |instructions: &[Instruction], pid: i32| {
        let data = SeccompData {
            nr: arch.number("kill").unwrap(),
            arch: arch.audit_value(),
            instruction_pointer: 0,
            args: [pid as u64, 9, 0, 0, 0, 0],
        };
        Action::from_return_value(interpret(instructions, &data).unwrap()).unwrap()
    };
    assert_eq!(kill(&program.for_program(&OWN), 77), Action::Allow);
    for pid in [0, -1, 1, 77, -77, 1 << 22] {
        assert_eq!(kill(&program.instructions, pid), Action::Errno(Errno::Eperm), "{pid}");
    }
}

#[test]
fn what_is_left_to_the_launch_is_done_with_its_key_only() {
    let calls = BOTH.map(|arch| [(arch, "execveat", 4), (arch, "landlock_restrict_self", 1)]);
    for (arch, call, carrier) in calls.into_iter().flatten() {
        let program = compile(&strict(arch)).unwrap();
        let answer = |instructions: &[Instruction], first: u64, second: u64| {
            let mut args = [first << 32 | 9, 0, 0, 0, 0, 0];
            args[carrier] = second << 32 | 0x1000;
            let data = SeccompData {
                nr: arch.number(call).unwrap(),
                arch: arch.audit_value(),
                instruction_pointer: 0,
                args,
            };
            Action::from_return_value(interpret(instructions, &data).unwrap()).unwrap()
        };
        assert_eq!(answer(&program.for_program(&OWN), 5, 6), Action::Allow, "{call}");
        for half in [1, 5, 6, u64::from(u32::MAX)] {
            assert_eq!(answer(&program.instructions, 0, half), Action::KillProcess, "{call}");
            let none = Action::Errno(Errno::Enosys);
            assert_eq!(answer(&program.instructions, half, 0), none, "{call}");
        }
    }
}

#[test]
fn the_bytes_are_those_of_the_kernels_structure() {
    let program = compile(&filter_with(Arch::X86_64, [])).unwrap();
    let bytes = program.bytes();
    assert_eq!(bytes.len(), 8 * program.instructions.len());
    assert_eq!(size_of::<Instruction>(), size_of::<libc::sock_filter>());
    // LD arch; JEQ x86_64, 1, 0; RET KILL_PROCESS, as `bpf_asm` writes them.
    let expected = [[0x20, 0, 0, 4], [0x15, 1, 0, 0xc000_003e_u32], [0x06, 0, 0, 0x8000_0000]];
    for (found, [code, jt, jf, k]) in bytes.chunks(8).zip(expected) {
        let mut bytes = (code as u16).to_ne_bytes().to_vec();
        bytes.extend([jt as u8, jf as u8]);
        bytes.extend(k.to_ne_bytes());
        assert_eq!(found, bytes);
    }
}

/// How many instructions the checks of a rule take, without the answers that all rules share.
fn cost(clauses: impl IntoIterator<Item = Vec<Check>>) -> usize {
    let length = |rule| {
        let filter = filter_with(Arch::X86_64, [("read", rule)]);
        compile(&filter).unwrap().instructions.len()
    };
    let rule = allow_if(clauses.into_iter().map(|clause| clause.into_iter().collect()));
    // A rule that loads one word and compares it once.
    let least = length(allow_if([Clause::from([Check::equals(0, 7)])]));
    length(rule) + 2 - least
}

#[test]
fn values_that_follow_each_other_are_compared_by_their_ends_and_others_one_by_one() {
    let values = |values: &[u32]| cost(values.iter().map(|&value| vec![Check::equals(0, value)]));
    assert_eq!(values(&[7]), 2);
    assert_eq!(values(&[7, 9, 11, 13]), 5);
    assert_eq!(values(&[7, 8]), 3);
    assert_eq!(values(&[7, 8, 9, 10, 11, 12]), 3);
    assert_eq!(values(&[0, 1, 2, 3, 4]), 2);
    assert_eq!(values(&[3, 7, 8, 9, 10, 20]), 5);
}

#[test]
fn a_mask_is_an_instruction_of_its_own_only_where_several_bits_have_a_value() {
    let masked = |mask, value| cost([vec![Check::masked(0, mask, value)]]);
    assert_eq!([masked(0xff, 0), masked(0x80, 0), masked(0x80, 0x80)], [2, 2, 2]);
    assert_eq!([masked(0xff, 0x80), masked(0xf0, 0xf0)], [3, 3]);
    let own = Check { mask: 0, ..Check::own_pid(0) };
    assert_eq!(cost([vec![own]]), 3, "what is known at the launch only is no mask of nothing");
}

#[test]
fn a_word_is_loaded_once_for_comparisons_that_follow_each_other() {
    let (bit, none, some) =
        (Check::masked(0, 0x80, 0x80), Check::masked(0, 0xf00, 0), Check::masked(0, !0xf, 0x30));
    assert_eq!(cost([vec![bit], vec![none]]), 3);
    // What is left of a word by a mask is loaded again.
    assert_eq!(cost([vec![bit], vec![none], vec![some]]), 5);
    assert_eq!(cost([vec![some], vec![Check::equals(0, 9)]]), 5);
    let below = |value| vec![Check::equals(0, 1), Check::equals(1, value)];
    assert_eq!(cost([below(2), below(5)]), 5);
    assert_eq!(cost([vec![Check::equals(0, 1)], vec![Check::equals(1, 1)]]), 4);
}

#[test]
fn values_of_different_arguments_are_told_apart() {
    let rule = allow_if(
        [(0, 1), (1, 2), (1, 3), (1, 4), (2, 5)]
            .map(|(argument, value)| Clause::from([Check::equals(argument, value)])),
    );
    let filter = filter_with(Arch::X86_64, [("read", rule)]);
    let program = compile(&filter).unwrap().instructions;
    for args in
        (0..7).flat_map(|a| (0..7).flat_map(move |b| (0..7).map(move |c| [a, b, c, 0, 0, 0])))
    {
        let data =
            SeccompData { nr: 0, arch: Arch::X86_64.audit_value(), instruction_pointer: 0, args };
        let decided = Action::from_return_value(interpret(&program, &data).unwrap()).unwrap();
        assert_eq!(decided, decide(&filter, &data, &OWN), "{args:?}");
    }
}

#[test]
fn what_has_no_meaning_is_an_error() {
    let compiled = |rule: Rule| compile(&filter_with(Arch::X86_64, [("read", rule)]));
    let with = |check: Check| compiled(allow_if([Clause::from([check])]));
    assert!(with(Check::equals(5, 1)).is_ok());
    assert_eq!(
        with(Check::equals(6, 1)),
        Err(CompileError::NoSuchArgument { syscall: "read", argument: 6 })
    );
    let too_wide = Err(CompileError::CheckTooWide { syscall: "read", argument: 1 });
    assert_eq!(with(Check { mask: 1 << 32, ..Check::equals(1, 1) }), too_wide);
    assert_eq!(
        with(Check { operand: Operand::Constant(1 << 32), ..Check::equals(1, 1) }),
        too_wide
    );
    let unknown = compile(&filter_with(Arch::Aarch64, [("open", Rule::Always(Action::Allow))]));
    let open = CompileError::UnknownSyscall { name: "open".to_owned(), arch: Arch::Aarch64 };
    assert_eq!(unknown, Err(open));
}

#[test]
fn what_is_too_long_is_an_error() {
    // Values that follow each other would need no more than their ends.
    let long =
        |clauses| allow_if((0..clauses).map(|value| Clause::from([Check::equals(0, 2 * value)])));
    let compiled = |rules: Vec<(&'static str, Rule)>| compile(&filter_with(Arch::X86_64, rules));
    assert!(compiled(vec![("read", long(3000))]).is_ok());
    assert!(matches!(
        compiled(vec![("read", long(5000))]),
        Err(CompileError::ProgramTooLong { count }) if count > 5000
    ));
    // Different rules, or they would share one block.
    let many = |count: u32| {
        let rules = Arch::X86_64.syscalls().zip(0..count);
        compiled(rules.map(|((name, _), index)| (name, long(200 + index))).collect())
    };
    assert!(many(10).is_ok());
    assert!(matches!(many(25), Err(CompileError::ProgramTooLong { count }) if count > 4096));
}

#[test]
fn a_program_may_have_as_many_instructions_as_the_kernel_accepts_and_not_one_more() {
    assert_eq!(accepted(0), Ok(()));
    assert_eq!(accepted(4_096), Ok(()));
    assert_eq!(accepted(4_097), Err(CompileError::ProgramTooLong { count: 4_097 }));
}
