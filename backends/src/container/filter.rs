//! Linux. The strict filter in the words of the OCI runtime specification, whose rules libseccomp compiles.
//!
//! What it cannot say becomes narrower, never wider. libseccomp knows no "otherwise" for a call whose arguments
//! are checked: such a call is answered by rules for each bit that may be wrong, or by the default answer.

use crate::linux::seccomp::{Action, Arch, Check, Clause, Errno, Filter, Operand, Rule};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// The process id of a program in a pid namespace of its own.
const FIRST_PROCESS: u64 = 1;

/// The filter for a program that the runtime executes once the filter is in force: `execve` is the one call
/// that a runtime needs and the strict filter refuses. Nobody can tell the first from a second.
pub(super) fn seccomp(filter: &Filter) -> Value {
    let mut rules = filter.rules.clone();
    rules.insert("execve".to_owned(), Rule::Always(Action::Allow));
    // No launch of ours has a key here, so what needs one is refused like the rest.
    rules.retain(|_name, rule| !matches!(rule, Rule::Once { .. }));
    let calls: Vec<Value> = rules
        .iter()
        .flat_map(|(name, rule)| match rule {
            // libseccomp refuses a rule that says what the default says.
            Rule::Always(action) if *action == filter.default => Vec::new(),
            Rule::Once { .. } => Vec::new(),
            Rule::Always(action) => vec![call(name, *action, &[])],
            // Of two answers libseccomp takes the one without a condition, so there is but one.
            Rule::Feigned { .. } => vec![call(name, Action::Errno(Errno::Success), &[])],
            Rule::Checked { allow_if, otherwise } => {
                let clauses: Vec<Vec<Masked>> = allow_if.iter().filter_map(merged).collect();
                let allowed = clauses.iter().map(|clause| call(name, Action::Allow, clause));
                let otherwise = Action::Errno(*otherwise);
                let refused =
                    if otherwise == filter.default { Vec::new() } else { wrong(&clauses) };
                let refused = refused.iter().map(|bit| call(name, otherwise, &[*bit]));
                allowed.chain(refused).collect()
            }
        })
        .collect();
    let (default, errno) = action(filter.default);
    let mut seccomp = json!({
        "defaultAction": default,
        "architectures": [architecture(filter.arch)],
        "syscalls": calls,
    });
    if let (Some(errno), Some(object)) = (errno, seccomp.as_object_mut()) {
        object.insert("defaultErrnoRet".to_owned(), errno.into());
    }
    seccomp
}

fn architecture(arch: Arch) -> &'static str {
    match arch {
        Arch::X86_64 => "SCMP_ARCH_X86_64",
        Arch::Aarch64 => "SCMP_ARCH_AARCH64",
    }
}

fn action(action: Action) -> (&'static str, Option<u16>) {
    match action {
        Action::Allow => ("SCMP_ACT_ALLOW", None),
        Action::Errno(errno) => ("SCMP_ACT_ERRNO", Some(errno.number())),
        Action::KillProcess => ("SCMP_ACT_KILL_PROCESS", None),
    }
}

/// `argument & mask == value`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Masked {
    argument: u8,
    mask: u64,
    value: u64,
}

fn call(name: &str, answer: Action, checks: &[Masked]) -> Value {
    let (answer, errno) = action(answer);
    let checks: Vec<Value> = checks
        .iter()
        .map(|Masked { argument, mask, value }| {
            json!({ "index": argument, "value": mask, "valueTwo": value, "op": "SCMP_CMP_MASKED_EQ" })
        })
        .collect();
    let mut call = json!({ "names": [name], "action": answer });
    if let Some(object) = call.as_object_mut() {
        if let Some(errno) = errno {
            object.insert("errnoRet".to_owned(), errno.into());
        }
        if !checks.is_empty() {
            object.insert("args".to_owned(), checks.into());
        }
    }
    call
}

/// What makes one check fail: each bit of it, being other than it must. Several checks or clauses have no such
/// form of a bearable size.
fn wrong(clauses: &[Vec<Masked>]) -> Vec<Masked> {
    let [clause] = clauses else { return Vec::new() };
    let [Masked { argument, mask, value }] = *clause.as_slice() else { return Vec::new() };
    let bits = (0..u64::BITS).map(|bit| 1 << bit).filter(|bit| mask & bit != 0);
    bits.map(|bit| Masked { argument, mask: bit, value: !value & bit }).collect()
}

/// A clause with one check an argument; `None` if it can never hold. Runtimes take two checks of the same
/// argument in one rule for alternatives, which would widen it.
fn merged(clause: &Clause) -> Option<Vec<Masked>> {
    let mut merged: BTreeMap<u8, Masked> = BTreeMap::new();
    for check in clause {
        let Check { argument, width, mask, operand } = *check;
        let mask = mask & width.all_bits();
        let value = match operand {
            Operand::Constant(value) => value,
            Operand::OwnPid => FIRST_PROCESS,
        };
        let earlier = merged.entry(argument).or_insert(Masked { argument, mask: 0, value: 0 });
        let both = earlier.mask & mask;
        if value & !mask != 0 || earlier.value & both != value & both {
            return None;
        }
        earlier.mask |= mask;
        earlier.value |= value;
    }
    Some(merged.into_values().collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::linux::seccomp::{Errno, Width, strict};

    fn arguments<'a>(seccomp: &'a Value, name: &str) -> Vec<&'a Value> {
        let calls = seccomp["syscalls"].as_array().unwrap();
        calls.iter().filter(|call| call["names"][0] == name).collect()
    }

    #[test]
    fn what_the_strict_filter_allows_or_refuses_is_said_in_the_same_way() {
        let seccomp = seccomp(&strict(Arch::X86_64));
        assert_eq!(seccomp["defaultAction"], "SCMP_ACT_ERRNO");
        assert_eq!(seccomp["defaultErrnoRet"], 38);
        assert_eq!(arguments(&seccomp, "read")[0]["action"], "SCMP_ACT_ALLOW");
        assert_eq!(arguments(&seccomp, "fork")[0]["errnoRet"], 1);
        assert_eq!(arguments(&seccomp, "chmod")[0]["errnoRet"], 0);
        // The one difference, and its neighbour.
        assert_eq!(arguments(&seccomp, "execve")[0]["action"], "SCMP_ACT_ALLOW");
        assert!(arguments(&seccomp, "execveat").is_empty());
        // Threads alone: every rule for clone has its flags checked.
        let clone = arguments(&seccomp, "clone");
        assert!(!clone.is_empty());
        assert!(clone.iter().all(|rule| rule["args"][0]["index"] == 0), "{clone:?}");
        let refused = clone.iter().filter(|rule| rule["errnoRet"] == 1).count();
        assert_eq!(refused, clone.len() - 1);
    }

    #[test]
    fn a_value_that_a_check_refuses_is_answered_by_one_of_its_bits_and_no_other_is() {
        let check = Masked { argument: 0, mask: 0b1101, value: 0b0100 };
        let wrong = wrong(&[vec![check]]);
        for argument in 0..32_u64 {
            let answered = wrong.iter().any(|bit| argument & bit.mask == bit.value);
            assert_eq!(answered, argument & check.mask != check.value, "{argument:b}");
        }
    }

    #[test]
    fn two_checks_of_one_argument_become_one_and_never_alternatives() {
        let check = |mask, value| Check::masked(1, mask, value);
        let both = merged(&Clause::from([check(0b1100, 0b0100), check(0b0011, 0b0001)]));
        assert_eq!(both, Some(vec![Masked { argument: 1, mask: 0b1111, value: 0b0101 }]));
        assert_eq!(merged(&Clause::from([check(0b1100, 0b0100), check(0b0100, 0)])), None);
        assert_eq!(merged(&Clause::from([check(0b0100, 0b1000)])), None);
        assert_eq!(merged(&Clause::new()), Some(Vec::new()));
        let own = merged(&Clause::from([Check::own_pid(0)]));
        let all = Width::Low32.all_bits();
        assert_eq!(own, Some(vec![Masked { argument: 0, mask: all, value: 1 }]));
    }

    #[test]
    fn a_rule_whose_clauses_never_hold_allows_nothing() {
        let never = Clause::from([Check::masked(0, 1, 1), Check::masked(0, 1, 0)]);
        let mut filter = strict(Arch::X86_64);
        let rule = |allow_if| Rule::Checked { allow_if, otherwise: Errno::Eperm };
        filter.rules.insert("read".to_owned(), rule([never].into()));
        assert!(arguments(&seccomp(&filter), "read").is_empty());
        filter.rules.insert("read".to_owned(), rule([Clause::from([Check::null(2)])].into()));
        let written = seccomp(&filter);
        let allowed = arguments(&written, "read");
        assert_eq!(allowed.iter().filter(|rule| rule["action"] == "SCMP_ACT_ALLOW").count(), 1);
    }
}
