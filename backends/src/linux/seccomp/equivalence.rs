//! Tests that the program decides as the data says, against the plain reading of the filter and against
//! `seccompiler`, an independent compiler.

use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZeroU32;

use proptest::prelude::*;
use proptest::sample::select;
use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter,
    SeccompRule, TargetArch,
};

use super::*;

const BOTH: [Arch; 2] = [Arch::X86_64, Arch::Aarch64];
const OWN_PID: u32 = 4242;
const OWN: Own = Own {
    pid: OWN_PID,
    key: Some(Key { first: 0x1234_5678, second: NonZeroU32::new(0x9abc_def0).unwrap() }),
};

/// Audit values of both architectures, of i386 and 32-bit Arm, and two that nobody has.
const AUDIT_VALUES: [u32; 6] = [0xc000_003e, 0xc000_00b7, 0x4000_0003, 0x4000_0028, 0, u32::MAX];

fn data(arch: u32, nr: u32, args: [u64; 6]) -> SeccompData {
    SeccompData { nr, arch, instruction_pointer: 0x7fff_dead_beef, args }
}

fn run(program: &[Instruction], data: &SeccompData) -> Action {
    let value = interpret(program, data).expect("the program is well-formed");
    Action::from_return_value(value).expect("the program returns an action")
}

/// Every number that any table knows, those after it, the x32 ones, and the edges of 32 bits.
fn numbers() -> BTreeSet<u32> {
    let powers = (0..32).map(|bit| 1 << bit);
    let edges = powers.flat_map(|power: u32| [power - 1, power, power.wrapping_add(1)]);
    (0..=1024)
        .chain(0x4000_0000..=0x4000_0400)
        .chain(edges)
        .chain([u32::MAX - 1, u32::MAX])
        .collect()
}

/// The values that can tell a right comparison from a wrong one.
fn values_around(check: &Check) -> BTreeSet<u64> {
    let operand = operand(check);
    let bits = (0..64).map(|bit| operand ^ (1 << bit));
    let near = [operand, operand.wrapping_add(1), operand.wrapping_sub(1), operand | !check.mask];
    let high = [operand | u64::MAX << 32, operand | 1 << 32, u64::MAX, 0];
    bits.chain(near).chain(high).collect()
}

fn operand(check: &Check) -> u64 {
    match check.operand {
        Operand::Constant(value) => value,
        Operand::OwnPid => u64::from(OWN_PID),
    }
}

/// For each clause the arguments that fulfil it, and those with one argument changed to each value
/// that matters to any check of the rule.
fn vectors(rule: &Rule) -> BTreeSet<[u64; 6]> {
    let clauses = match rule {
        Rule::Checked { allow_if: clauses, .. } | Rule::Feigned { refuse_if: clauses, .. } => {
            clauses
        }
        Rule::Once { second } => return keys(*second),
        Rule::Always(_) => return BTreeSet::from([[0; 6], [u64::MAX; 6], [1, 2, 3, 4, 5, 6]]),
    };
    let mut vectors = BTreeSet::from([[0; 6], [u64::MAX; 6]]);
    let checks: BTreeSet<&Check> = clauses.iter().flatten().collect();
    for clause in clauses {
        let mut fulfilled = [0; 6];
        for check in clause {
            fulfilled[usize::from(check.argument)] = operand(check);
        }
        for check in &checks {
            for value in values_around(check) {
                let mut changed = fulfilled;
                changed[usize::from(check.argument)] = value;
                vectors.insert(changed);
            }
        }
    }
    vectors
}

/// The key, the lower halves full of other things; every key that differs in one bit; halves of it; none.
fn keys(carrier: u8) -> BTreeSet<[u64; 6]> {
    let Some(key) = OWN.key else { return BTreeSet::new() };
    let with = |first: u32, second: u32, lower: u32| {
        let whole = |upper: u32| u64::from(upper) << 32 | u64::from(lower);
        let mut args = [whole(7); 6];
        args[0] = whole(first);
        args[usize::from(carrier)] = whole(second);
        args
    };
    let (first, second) = (key.first, key.second.get());
    let bits = (0..32).flat_map(|bit| [(first ^ 1 << bit, second), (first, second ^ 1 << bit)]);
    let others = [(first, second), (second, first), (first, 0), (0, second), (0, 0)];
    bits.chain(others)
        .flat_map(|(first, second)| [0, 3, u32::MAX].map(|lower| with(first, second, lower)))
        .chain([[u64::MAX; 6]])
        .collect()
}

/// The argument vectors worth trying on one number.
fn vectors_of(filter: &Filter, number: u32) -> BTreeSet<[u64; 6]> {
    let rule = filter.arch.name(number).and_then(|name| filter.rules.get(name));
    vectors(rule.unwrap_or(&Rule::Always(filter.default)))
}

/// Compares program and data over every number and returns how often each action was decided.
fn agreed_decisions(filter: &Filter) -> BTreeMap<Action, usize> {
    let program = compile(filter).unwrap().for_program(&OWN);
    let mut decisions = BTreeMap::new();
    for number in numbers() {
        for args in vectors_of(filter, number) {
            for arch in AUDIT_VALUES {
                let data = data(arch, number, args);
                let decision = decide(filter, &data, &OWN);
                assert_eq!(run(&program, &data), decision, "{data:?}");
                *decisions.entry(decision).or_default() += 1;
            }
        }
    }
    decisions
}

#[test]
fn the_compiled_strict_filter_decides_as_its_data_says() {
    for arch in BOTH {
        let decisions = agreed_decisions(&strict(arch));
        let seen: BTreeSet<Action> = decisions.keys().copied().collect();
        let every = Errno::ALL.into_iter().map(Action::Errno);
        assert_eq!(seen, every.chain([Action::Allow, Action::KillProcess]).collect());
        assert!(decisions[&Action::Allow] > 1000, "{arch:?}: {decisions:?}");
    }
}

#[test]
fn a_tree_too_large_for_a_short_jump_decides_as_its_data_says() {
    let constants =
        |first: u32| (first..first + 30).map(|value| Clause::from([Check::equals(0, 2 * value)]));
    let rule =
        |first| Rule::Checked { allow_if: constants(first).collect(), otherwise: Errno::Eperm };
    let rules = Arch::X86_64.syscalls().step_by(6).zip(0..);
    let rules = rules.map(|((name, _), index)| (name.to_owned(), rule(index))).collect();
    let filter = Filter { rules, ..strict(Arch::X86_64) };
    let far_jumps = |filter: &Filter| {
        let instructions = compile(filter).unwrap().instructions;
        instructions.iter().filter(|instruction| instruction.code == bpf::JUMP).count()
    };
    assert_eq!(far_jumps(&strict(Arch::X86_64)), 0);
    assert!(far_jumps(&filter) > 5);
    assert!(agreed_decisions(&filter)[&Action::Allow] > 1000);
}

#[test]
fn a_call_of_another_architecture_or_of_x32_is_killed_whatever_its_arguments() {
    for arch in BOTH {
        let filter = strict(arch);
        let program = compile(&filter).unwrap().for_program(&OWN);
        let getpid = filter.arch.number("getpid").unwrap();
        let native = arch.audit_value();
        assert_eq!(run(&program, &data(native, getpid, [0; 6])), Action::Allow);
        for foreign in AUDIT_VALUES.into_iter().filter(|&foreign| foreign != native) {
            for number in numbers() {
                assert_eq!(run(&program, &data(foreign, number, [0; 6])), Action::KillProcess);
            }
        }
        for number in numbers().into_iter().filter(|&number| number >= Arch::X32_FIRST) {
            let expected = match arch {
                Arch::X86_64 => Action::KillProcess,
                // No such interface, so these are merely numbers that nobody has assigned.
                Arch::Aarch64 => Action::Errno(Errno::Enosys),
            };
            assert_eq!(run(&program, &data(native, number, [0; 6])), expected, "{number:#x}");
        }
    }
}

#[test]
fn each_gate_that_is_taken_away_shows_in_the_program() {
    let strict = strict(Arch::X86_64);
    let native = data(strict.arch.audit_value(), 1000, [0; 6]);
    let x32 = SeccompData { nr: Arch::X32_FIRST + 41, ..native };
    let foreign = SeccompData { arch: 0x4000_0003, ..native };
    let opened = |weaken: fn(&mut Filter)| {
        let mut filter = strict.clone();
        weaken(&mut filter);
        let program = compile(&filter).unwrap().for_program(&OWN);
        [native, x32, foreign].map(|data| run(&program, &data) == Action::Allow)
    };
    assert_eq!(opened(|_| {}), [false, false, false]);
    assert_eq!(opened(|filter| filter.default = Action::Allow), [true, false, false]);
    assert_eq!(opened(|filter| filter.x32 = Action::Allow), [false, true, false]);
    assert_eq!(opened(|filter| filter.foreign_arch = Action::Allow), [false, false, true]);
}

fn any_check() -> impl Strategy<Value = Check> {
    let mask = prop_oneof![
        Just(u64::MAX),
        Just(u64::from(u32::MAX)),
        Just(0),
        Just(0xf),
        Just(0xff00_0000_0000),
        any::<u64>()
    ];
    let constant = prop_oneof![0..4_u64, Just(1 << 32), any::<u64>()];
    let operand = prop_oneof![Just(Operand::OwnPid), constant.prop_map(Operand::Constant)];
    let width = select(vec![Width::Low32, Width::Full64]);
    (0..6_u8, width, mask, operand, any::<bool>()).prop_map(
        |(argument, width, mask, operand, inside_mask)| {
            let mask = mask & width.all_bits();
            let operand = match operand {
                Operand::Constant(value) if inside_mask => Operand::Constant(value & mask),
                Operand::Constant(value) => Operand::Constant(value & width.all_bits()),
                Operand::OwnPid => Operand::OwnPid,
            };
            Check { argument, width, mask, operand }
        },
    )
}

fn any_action() -> impl Strategy<Value = Action> {
    let errnos = Errno::ALL.into_iter().map(Action::Errno);
    select(errnos.chain([Action::Allow, Action::KillProcess]).collect::<Vec<_>>())
}

fn any_rule() -> impl Strategy<Value = Rule> {
    let clauses = || {
        let clause = prop::collection::btree_set(any_check(), 0..4);
        (prop::collection::btree_set(clause, 0..6), select(Errno::ALL.to_vec()))
    };
    let checked = clauses().prop_map(|(allow_if, otherwise)| Rule::Checked { allow_if, otherwise });
    let feigned = clauses().prop_map(|(refuse_if, refused)| Rule::Feigned { refuse_if, refused });
    let once = (1..6u8).prop_map(|second| Rule::Once { second });
    prop_oneof![4 => any_action().prop_map(Rule::Always), 4 => checked, 2 => feigned, 1 => once]
}

fn any_filter() -> impl Strategy<Value = Filter> {
    (select(BOTH.to_vec()), prop::array::uniform3(any_action())).prop_flat_map(|(arch, actions)| {
        let names: Vec<String> = arch.syscalls().map(|(name, _)| name.to_owned()).collect();
        let [foreign_arch, x32, default] = actions;
        prop::collection::btree_map(select(names), any_rule(), 0..120)
            .prop_map(move |rules| Filter { arch, foreign_arch, x32, default, rules })
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn any_compiled_filter_decides_as_its_data_says(filter in any_filter()) {
        let program = compile(&filter).unwrap().for_program(&OWN);
        for number in numbers() {
            for args in vectors_of(&filter, number) {
                let data = data(filter.arch.audit_value(), number, args);
                prop_assert_eq!(run(&program, &data), decide(&filter, &data, &OWN), "{:?}", data);
            }
        }
        let foreign = data(0, 0, [0; 6]);
        prop_assert_eq!(run(&program, &foreign), filter.foreign_arch);
    }
}

/// The same filter by `seccompiler`, as far as it can say it: allowed or not.
fn by_seccompiler(filter: &Filter) -> Vec<Instruction> {
    let rules = filter.rules.iter().filter_map(|(name, rule)| {
        let clauses = match rule {
            Rule::Always(Action::Allow) => vec![],
            // A key is nothing that it could say.
            Rule::Always(_) | Rule::Feigned { .. } | Rule::Once { .. } => return None,
            Rule::Checked { allow_if, .. } => allow_if.iter().map(condition_rule).collect(),
        };
        Some((i64::from(filter.arch.number(name).unwrap()), clauses))
    });
    let arch = match filter.arch {
        Arch::X86_64 => TargetArch::x86_64,
        Arch::Aarch64 => TargetArch::aarch64,
    };
    let (mismatch, matched) = (SeccompAction::Errno(1), SeccompAction::Allow);
    let filter = SeccompFilter::new(rules.collect(), mismatch, matched, arch).unwrap();
    let program: BpfProgram = filter.try_into().unwrap();
    let same = |ins: seccompiler::sock_filter| Instruction {
        code: ins.code,
        jt: ins.jt,
        jf: ins.jf,
        k: ins.k,
    };
    program.into_iter().map(same).collect()
}

fn condition_rule(clause: &Clause) -> SeccompRule {
    let condition = |check: &Check| {
        let width = match check.width {
            Width::Low32 => SeccompCmpArgLen::Dword,
            Width::Full64 => SeccompCmpArgLen::Qword,
        };
        let equals = SeccompCmpOp::MaskedEq(check.mask);
        SeccompCondition::new(check.argument, width, equals, operand(check)).unwrap()
    };
    SeccompRule::new(clause.iter().map(condition).collect()).unwrap()
}

#[test]
fn an_independent_compiler_allows_the_same_calls() {
    for arch in BOTH {
        let filter = strict(arch);
        let ours = compile(&filter).unwrap().for_program(&OWN);
        let theirs = by_seccompiler(&filter);
        let mut compared = BTreeMap::from([(true, 0), (false, 0)]);
        let is_once = |number: u32| {
            let rule = filter.arch.name(number).and_then(|name| filter.rules.get(name));
            matches!(rule, Some(Rule::Once { .. }))
        };
        let comparable = |number: &u32| *number < Arch::X32_FIRST && !is_once(*number);
        for number in numbers().into_iter().filter(comparable) {
            for args in vectors_of(&filter, number) {
                let data = data(arch.audit_value(), number, args);
                let allowed = run(&ours, &data) == Action::Allow;
                assert_eq!(run(&theirs, &data) == Action::Allow, allowed, "{data:?}");
                *compared.entry(allowed).or_default() += 1;
            }
        }
        assert!(compared.values().all(|&count| count > 1000), "{arch:?}: {compared:?}");
    }
}
