//! Tests of the filter's canonical form.

use serde_json::{Value, json};

use super::super::strict;
use super::*;

const BOTH: [Arch; 2] = [Arch::X86_64, Arch::Aarch64];

fn is_canonical(value: &Value) -> bool {
    match value {
        Value::String(_) => true,
        Value::Number(number) => number.as_u64().is_some_and(|number| number < 1 << 53),
        Value::Array(values) => values.iter().all(is_canonical),
        Value::Object(fields) => fields.values().all(is_canonical),
        Value::Null | Value::Bool(_) => false,
    }
}

#[test]
fn the_form_holds_only_strings_and_small_integers_and_reads_back_the_same() {
    assert!(!is_canonical(&json!([1.5])) && !is_canonical(&json!({"k": null})));
    assert!(!is_canonical(&json!(u64::MAX)));
    for arch in BOTH {
        let filter = strict(arch);
        let bytes = serde_json::to_vec(&filter).unwrap();
        assert!(is_canonical(&serde_json::from_slice(&bytes).unwrap()));
        let again: Filter = serde_json::from_slice(&bytes).unwrap();
        assert_eq!(again, filter);
        assert_eq!(serde_json::to_vec(&again).unwrap(), bytes);
    }
}

#[test]
fn the_order_in_which_checks_are_given_does_not_show() {
    let rule = |checks: [Check; 2]| Rule::Checked {
        allow_if: checks.into_iter().map(|check| Clause::from([check])).collect(),
        otherwise: Errno::Eperm,
    };
    let (one, other) = (Check::equals(0, 1), Check::own_pid(0));
    assert_eq!(rule([one, other]), rule([other, one]));
    assert_ne!(rule([one, one]), rule([one, other]));
}

#[test]
fn a_rule_reads_as_its_meaning() {
    let rule = Rule::Checked {
        allow_if: BTreeSet::from([Clause::from([Check::masked(1, !0x800, 1), Check::own_pid(0)])]),
        otherwise: Errno::Eacces,
    };
    let expected = json!({"checked": {
        "allow_if": [[
            {"argument": 0, "width": "low32", "mask": "0xffffffff", "operand": "own_pid"},
            {"argument": 1, "width": "low32", "mask": "0xfffff7ff", "operand": {"constant": "0x1"}},
        ]],
        "otherwise": "EACCES",
    }});
    assert_eq!(serde_json::to_value(rule).unwrap(), expected);
    assert_eq!(serde_json::to_value(Arch::X86_64).unwrap(), json!("x86_64"));
    assert_eq!(serde_json::to_value(Arch::Aarch64).unwrap(), json!("aarch64"));
}

#[test]
fn another_spelling_of_the_same_check_is_refused() {
    let with_mask = |mask: &str| {
        let operand = json!({"constant": "0x1"});
        let check = json!({"argument": 0, "width": "low32", "mask": mask, "operand": operand});
        serde_json::from_value::<Check>(check)
    };
    assert_eq!(with_mask("0xff").unwrap(), Check::masked(0, 0xff, 1));
    for other in ["0xFF", "0x0ff", "ff", "255", "0x", "", "0x1ffffffffffffffff", "0x+f"] {
        assert!(with_mask(other).is_err(), "{other}");
    }
}

#[test]
fn every_action_has_its_own_value_in_the_kernels_encoding() {
    let errnos = [
        (Errno::Success, 0),
        (Errno::Eperm, libc::EPERM),
        (Errno::Eacces, libc::EACCES),
        (Errno::Einval, libc::EINVAL),
        (Errno::Enotty, libc::ENOTTY),
        (Errno::Enosys, libc::ENOSYS),
        (Errno::Enotsup, libc::ENOTSUP),
    ];
    assert_eq!(errnos.map(|(errno, _)| errno), Errno::ALL);
    for (errno, number) in errnos {
        assert_eq!(i32::from(errno.number()), number, "{errno:?}");
        let action = Action::Errno(errno);
        assert_eq!(action.return_value(), 0x0005_0000 | number as u32);
        assert_eq!(Action::from_return_value(action.return_value()), Some(action));
    }
    let values = [(Action::Allow, 0x7fff_0000), (Action::KillProcess, 0x8000_0000)];
    for (action, value) in values {
        assert_eq!(action.return_value(), value);
        assert_eq!(Action::from_return_value(value), Some(action));
    }
    assert_eq!(Action::from_return_value(0x0005_0002), None);
}
