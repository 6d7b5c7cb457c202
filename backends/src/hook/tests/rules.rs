//! Each element of the rules, by events that the test raises itself.

use super::super::HookRules;
use super::world::{Arm, World, interpreters};
use super::{refused_by, unjudged};

/// Whether the program leaves its marker under these rules.
fn passes(event: &str, rules: &HookRules) -> bool {
    let interpreter = &interpreters()[0];
    let mut world = World::new();
    let program = format!("sys.audit({event}); open('marker', 'w')");
    let seen = world.run(interpreter, &program, &Arm::Hook(rules.clone()));
    assert!(world.effect(&seen) || seen.refused(), "{event} {seen:?}");
    world.effect(&seen)
}

#[test]
fn an_event_that_a_later_python_adds_to_a_namespace_is_refused() {
    let standard = HookRules::standard();
    for namespace in &standard.namespaces {
        let mut weakened = standard.clone();
        weakened.namespaces.remove(namespace);
        let event = format!("'{namespace}later'");
        assert!(!passes(&event, &standard), "{namespace}");
        assert!(passes(&event, &weakened), "{namespace}");
    }
}

#[test]
fn an_event_of_a_library_is_permitted() {
    for event in ["'library.event'", "'shutil.rmtree', '/', None", "'compile', b'', 'x'"] {
        assert!(passes(event, &HookRules::standard()), "{event}");
    }
}

#[test]
fn each_allowed_event_would_be_refused_with_its_namespace() {
    let standard = HookRules::standard();
    for event in &standard.allowed {
        let mut stricter = standard.clone();
        stricter.allowed.remove(event);
        let event = format!("'{event}'");
        assert!(passes(&event, &standard), "{event}");
        assert!(!passes(&event, &stricter), "{event}");
    }
}

#[test]
fn each_letter_that_writes_needs_a_writable_path() {
    let standard = HookRules::standard();
    for letter in &standard.write_modes {
        let mut weakened = standard.clone();
        weakened.write_modes.remove(letter);
        let event = format!("'open', granted + '/readable', 'r{letter}', 0");
        assert!(!passes(&event, &standard), "{letter}");
        assert!(passes(&event, &weakened), "{letter}");
    }
    assert!(passes("'open', granted + '/readable', 'rb', 0", &standard));
}

/// Only BSD and macOS have the function behind the event.
#[test]
fn file_flags_outside_are_not_changed() {
    let event = "sys.audit('os.chflags', outside + '/secret', 0); open('marker', 'w')";
    refused_by(event, |rules| unjudged(rules, "os.chflags"));
}

/// A value of another type is not compared: its comparison would be code of the program.
#[test]
fn a_value_that_claims_to_be_equal_is_not_believed() {
    let equal = "type('Equal', (), {'__eq__': lambda *all: True, '__hash__': lambda self: __import__('termios').FIONREAD})()";
    for event in [
        format!("'os.kill', {equal}, 9"),
        format!("'fcntl.ioctl', 0, {equal}, 0"),
        format!("'os.listdir', {equal}"),
    ] {
        assert!(!passes(&event, &HookRules::standard()), "{event}");
    }
    assert!(passes("'os.kill', os.getpid(), 0", &HookRules::standard()));
}
