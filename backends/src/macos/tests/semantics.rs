//! What a profile decides, by measurements that others made on Macs: allow before deny, deny before
//! allow, unfiltered rules, narrower operations, operations that `(deny default)` leaves open.

use super::super::access::{Access, Object};
use super::super::evaluate::{Evaluator, Refused};
use super::super::operation::{Action, Operation};
use super::super::read::read;
use super::super::rules::{Unset, Values};
use super::{any, file};

const CLOSED: &str = "(version 1)(deny default)(deny darwin-notification-post dynamic-code-generation \
    file-clone file-link file-lock file-map-executable file-test-existence iokit-get-properties \
    mach-cross-domain-lookup mach-priv* nvram* process-info* process-info-codesignature socket-ioctl \
    system-fcntl system-privilege)";

fn profile(rules: &str) -> Result<Evaluator, Refused> {
    Evaluator::new(&read(&format!("{CLOSED}{rules}")).unwrap(), Values::new())
}

fn decide(rules: &str, access: &Access) -> Action {
    profile(rules).unwrap().decide(access).unwrap().action
}

#[test]
fn the_last_of_filtered_rules_on_one_operation_decides() {
    let read = file("file-read-data", "/a/b/c");
    let (allow, deny) =
        ("(allow file-read* (subpath \"/a/b\"))", "(deny file-read* (subpath \"/a\"))");
    assert_eq!(decide(&format!("{deny}{allow}"), &read), Action::Allow);
    assert_eq!(decide(&format!("{allow}{deny}"), &read), Action::Deny);
}

#[test]
fn a_deeper_path_has_no_precedence_of_its_own() {
    let rules = "(allow file-read* (subpath \"/a/b\"))(deny file-read* (subpath \"/a\"))";
    assert_eq!(decide(rules, &file("file-read-data", "/a/b/secret")), Action::Deny);
    assert_eq!(
        decide("(allow file-read* (subpath \"/a/b\"))", &file("file-read-data", "/a/b/x")),
        Action::Allow
    );
}

#[test]
fn a_narrower_operation_beats_a_wider_one_that_stands_later_so_such_a_profile_is_refused() {
    let rules = "(allow file-read-data (subpath \"/a\"))(deny file-read* (subpath \"/a\"))";
    assert!(matches!(profile(rules), Err(Refused::Disputed { .. })));
    let rules = "(deny file-read* (subpath \"/a\"))(allow file-read-data (subpath \"/a\"))";
    assert_eq!(decide(rules, &file("file-read-data", "/a/x")), Action::Allow);
    assert_eq!(decide(rules, &file("file-read-xattr", "/a/x")), Action::Deny);
}

#[test]
fn an_unfiltered_rule_does_not_override_filtered_ones_so_it_must_stand_before_them() {
    let filtered = "(deny network-outbound (subpath \"/a\"))";
    let rules = format!("(allow network-outbound){filtered}");
    assert_eq!(decide(&rules, &file("network-outbound", "/a/s")), Action::Deny);
    assert_eq!(decide(&rules, &file("network-outbound", "/b")), Action::Allow);
    let rules = format!("{filtered}(allow network-outbound)");
    assert!(matches!(profile(&rules), Err(Refused::Disputed { .. })));
}

#[test]
fn what_the_default_leaves_open_must_be_named() {
    for open in Operation::open() {
        let names: Vec<&str> =
            Operation::open().filter(|other| *other != open).map(Operation::name).collect();
        let text = format!("(version 1)(deny default)(deny {})", names.join(" "));
        let refused = Evaluator::new(&read(&text).unwrap(), Values::new()).unwrap_err();
        assert_eq!(refused, Refused::Open(open));
    }
    assert_eq!(decide("", &any("process-info-listpids")), Action::Deny);
    assert_eq!(decide("", &file("file-map-executable", "/x")), Action::Deny);
}

#[test]
fn a_profile_must_begin_closed() {
    for text in
        ["(version 1)", "(version 1)(allow default)", "(version 1)(deny file*)(deny default)"]
    {
        let refused = Evaluator::new(&read(text).unwrap(), Values::new()).unwrap_err();
        assert_eq!(refused, Refused::NotClosed, "{text}");
    }
}

#[test]
fn the_rule_that_decides_is_named() {
    let profile = profile("(allow file-read* (literal \"/a\"))").unwrap();
    assert_eq!(profile.decide(&file("file-read-data", "/a")).unwrap().rule, Some(2));
    assert_eq!(profile.decide(&file("file-read-data", "/b")).unwrap().rule, Some(0));
}

#[test]
fn a_subpath_is_not_a_prefix_and_the_directories_above_are_not_what_lies_beside_them() {
    let rules =
        "(allow file-read* (subpath \"/a/b\"))(allow file-read-metadata (path-ancestors \"/a/b\"))";
    for (path, action) in
        [("/a/b", Action::Allow), ("/a/b/c", Action::Allow), ("/a/bc", Action::Deny)]
    {
        assert_eq!(decide(rules, &file("file-read-data", path)), action, "{path}");
    }
    for (path, action) in
        [("/", Action::Allow), ("/a", Action::Allow), ("/a/x", Action::Deny), ("/aa", Action::Deny)]
    {
        assert_eq!(decide(rules, &file("file-read-metadata", path)), action, "{path}");
    }
}

#[test]
fn filters_on_processes_names_and_calls_match_these_alone() {
    let signal = |own| Access {
        operation: Operation::named("signal").unwrap(),
        object: Object::Process { own },
    };
    assert_eq!(decide("(allow signal (target self))", &signal(true)), Action::Allow);
    assert_eq!(decide("(allow signal (target self))", &signal(false)), Action::Deny);
    let variable = |name: &str| Access {
        operation: Operation::named("sysctl-read").unwrap(),
        object: Object::Name(name.to_owned()),
    };
    let rules = "(allow sysctl-read (sysctl-name \"hw.ncpu\"))";
    assert_eq!(decide(rules, &variable("hw.ncpu")), Action::Allow);
    assert_eq!(decide(rules, &variable("hw.ncpu2")), Action::Deny);
    let call = |policy: &str, call| Access {
        operation: Operation::named("system-mac-syscall").unwrap(),
        object: Object::Module { policy: policy.to_owned(), call },
    };
    let rules = "(allow system-mac-syscall (require-all (mac-policy-name \"Sandbox\") (mac-syscall-number 67)))";
    assert_eq!(decide(rules, &call("Sandbox", 67)), Action::Allow);
    assert_eq!(decide(rules, &call("Sandbox", 66)), Action::Deny);
    assert_eq!(decide(rules, &call("AMFI", 67)), Action::Deny);
}

#[test]
fn filters_on_the_executing_image_and_on_controls_match_these_alone() {
    let execute = |path: &str, by: &str| Access {
        operation: Operation::named("process-exec*").unwrap(),
        object: Object::Image { path: path.to_owned(), by: by.to_owned() },
    };
    let rules = "(allow process-exec* (require-all (literal \"/a\") (process-path \"/launcher\")))";
    assert_eq!(decide(rules, &execute("/a", "/launcher")), Action::Allow);
    assert_eq!(decide(rules, &execute("/a", "/a")), Action::Deny);
    assert_eq!(decide(rules, &execute("/b", "/launcher")), Action::Deny);
    assert_eq!(decide(rules, &file("process-exec*", "/a")), Action::Deny);
    let control = |command| Access {
        operation: Operation::named("system-fcntl").unwrap(),
        object: Object::Control(command),
    };
    let rules = "(allow system-fcntl (fcntl-command 5) (fcntl-command 7))";
    for (command, action) in [(5, Action::Allow), (6, Action::Deny), (7, Action::Allow)] {
        assert_eq!(decide(rules, &control(command)), action, "{command}");
    }
    assert_eq!(decide("", &control(5)), Action::Deny);
    let request = |number| Access {
        operation: Operation::named("socket-ioctl").unwrap(),
        object: Object::Request(number),
    };
    let rules = "(allow socket-ioctl (ioctl-command 5))(allow system-fcntl (fcntl-command 6))";
    for (number, action) in [(5, Action::Allow), (6, Action::Deny)] {
        assert_eq!(decide(rules, &request(number)), action, "{number}");
    }
}

#[test]
fn an_operation_that_allows_of_its_own_accord_does_not_ask_its_parent() {
    let own = |name| Access {
        operation: Operation::named(name).unwrap(),
        object: Object::Process { own: true },
    };
    let rules = "(allow process-info* (target self))";
    assert_eq!(decide(rules, &own("process-info-pidinfo")), Action::Allow);
    assert_eq!(decide(rules, &own("process-info-codesignature")), Action::Deny);
    let rules = "(allow file* (subpath \"/a\"))";
    assert_eq!(decide(rules, &file("file-write-data", "/a/b")), Action::Allow);
    assert_eq!(decide(rules, &file("file-link", "/a/b")), Action::Deny);
}

#[test]
fn system_calls_go_on_but_for_those_that_are_denied_by_number() {
    let call = |number| Access {
        operation: Operation::named("syscall-unix").unwrap(),
        object: Object::Call(number),
    };
    let rules = "(deny syscall-unix (syscall-number 265) (syscall-number 259))";
    for (number, action) in [(3, Action::Allow), (259, Action::Deny), (265, Action::Deny)] {
        assert_eq!(decide(rules, &call(number)), action, "{number}");
    }
    assert_eq!(decide("", &call(265)), Action::Allow);
    assert_eq!(decide("(deny syscall-unix)", &call(3)), Action::Deny);
}

#[test]
fn a_parameter_without_a_value_decides_nothing() {
    let profile = profile("(allow file-read* (subpath (param \"A\")))").unwrap();
    let unset = Refused::Unset(Unset("A".to_owned()));
    assert_eq!(profile.decide(&file("file-read-data", "/a")), Err(unset));
}
