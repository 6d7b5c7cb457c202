//! A program that runs under the hook starts, speaks and ends as a script does.

use super::super::HookRules;
use super::permitted;
use super::world::{Arm, World, interpreters};
use std::process::Stdio;

/// Runs the text as it stands, with and without the hook; both must have the same status and the same output on both streams.
fn alike(text: &str) {
    for interpreter in interpreters() {
        let run = |arm: Arm| {
            let mut world = World::new();
            let root = world.path("").to_string_lossy().into_owned();
            let seen = world.run_file(interpreter, text, &arm, Stdio::null());
            (seen.status, seen.stdout.replace(&root, ""), seen.stderr.replace(&root, ""))
        };
        let plain = run(Arm::Plain);
        assert_eq!(plain, run(Arm::Hook(HookRules::standard())), "{interpreter:?} {text}");
        assert!(
            plain.0 != Some(0) || !plain.1.is_empty(),
            "the program says nothing that could differ: {text}"
        );
    }
}

#[test]
fn exit_codes_are_those_of_a_script() {
    for exit in ["3", "256 + 7", "-1", "None", "True", "'text'", "('a', 1)", ""] {
        alike(&format!("import sys; print('said'); sys.exit({exit})"));
    }
    alike("print('said'); raise SystemExit");
    alike("import os; print('said'); os._exit(5)");
    alike("import atexit, sys; atexit.register(print, 'late'); sys.exit(4)");
}

#[test]
fn tracebacks_show_the_lines_of_the_program_and_no_others() {
    alike("def inner():\n    raise ValueError('text')\ninner()");
    alike(
        "try:\n    1 / 0\nexcept ZeroDivisionError as error:\n    raise KeyError('x') from error",
    );
    alike("x = = 1");
    alike(
        "import sys\nsys.unraisablehook = lambda given: print(given.exc_value)\nclass Last:\n    def __del__(self): 1 / 0\nLast()",
    );
    alike("raise BaseException('base')");
    alike("import sys\nsys.excepthook = lambda *error: print('own', error[0])\n1 / 0");
    alike(
        "import threading\nthread = threading.Thread(target=lambda: 1 / 0)\nthread.start(); thread.join(); print('end')",
    );
}

/// A script would be killed by the signal, which shells report as this status.
#[test]
fn an_interrupted_program_ends_with_the_status_of_one() {
    for interpreter in interpreters() {
        let mut world = World::new();
        let seen =
            world.run(interpreter, "raise KeyboardInterrupt", &Arm::Hook(HookRules::standard()));
        assert_eq!(seen.status, Some(130), "{seen:?}");
        assert!(seen.stderr.ends_with("KeyboardInterrupt\n"), "{seen:?}");
    }
}

#[test]
fn a_refusal_reads_like_that_of_the_system() {
    for interpreter in interpreters() {
        let seen = World::new().run(
            interpreter,
            "open(outside + '/secret')",
            &Arm::Hook(HookRules::standard()),
        );
        let frames: Vec<&str> =
            seen.stderr.lines().filter(|line| line.trim_start().starts_with("File ")).collect();
        assert!(
            matches!(frames[..], [frame] if frame.contains("program.py\", line 3, in <module>")),
            "{seen:?}"
        );
        let last = seen.stderr.lines().last().unwrap();
        assert!(
            last.starts_with("PermissionError: [Errno 1] Operation not permitted: '/"),
            "{seen:?}"
        );
        // It is told from a failure of the program's own, which ends with 1.
        assert_eq!(seen.status, Some(218));
        let own = World::new().run(
            interpreter,
            "raise PermissionError(1, 'own')",
            &Arm::Hook(HookRules::standard()),
        );
        assert_eq!(own.status, Some(1), "{own:?}");
    }
}

#[test]
fn the_program_is_the_main_module() {
    alike(
        "import __main__, sys
assert __main__.__dict__ is globals()
print(sorted(globals()), __name__, __file__, sys.argv[0], sys.path, type(__builtins__), type(__loader__))
if __name__ == '__main__': print('main')",
    );
    alike("# -*- coding: latin-1 -*-\nprint(ascii('\u{e4}'))");
    alike("import sys; print(hasattr(sys, 'orig_argv') and sys.orig_argv[1:10], sys.flags)");
    permitted("import pickle\nclass Local: pass\nprint(type(pickle.loads(pickle.dumps(Local()))))");
}

#[test]
fn standard_input_reaches_the_program() {
    for interpreter in interpreters() {
        let mut world = World::new();
        std::fs::write(world.path("granted/input"), "one\ntwo\n").unwrap();
        let input = std::fs::File::open(world.path("granted/input")).unwrap();
        let text = "import sys\nprint(input(), sys.stdin.read())";
        let seen =
            world.run_file(interpreter, text, &Arm::Hook(HookRules::standard()), input.into());
        assert_eq!((seen.status, seen.stdout.as_str()), (Some(0), "one two\n\n"), "{seen:?}");
    }
}

/// Many a program leaves its files to be closed at the end.
#[test]
fn files_and_finalisers_left_open_are_closed_at_the_end() {
    for interpreter in interpreters() {
        let mut world = World::new();
        let text = "import sys, threading
file = open('left', 'w'); file.write('written')
class Cycle:
    def __init__(self): self.itself, self.file = self, open('cycle', 'w'); self.file.write('written')
cycle = Cycle()
class Last:
    def __del__(self): print('finalised')
last = Last()
thread = threading.Timer(0.05, print, ['thread']); thread.start()";
        let seen =
            world.run_file(interpreter, text, &Arm::Hook(HookRules::standard()), Stdio::null());
        assert_eq!(
            (seen.status, seen.stdout.as_str(), seen.stderr.as_str()),
            (Some(0), "thread\nfinalised\n", "")
        );
        for name in ["run/left", "run/cycle"] {
            assert_eq!(
                std::fs::read_to_string(world.path(name)).unwrap(),
                "written",
                "{interpreter:?}"
            );
        }
    }
}

#[test]
fn a_program_that_may_not_be_read_does_not_run() {
    for interpreter in interpreters() {
        let world = World::new();
        let missing = world.path("outside/secret");
        let seen = world.run_path(interpreter, &missing);
        assert_eq!(seen.status, Some(2), "{seen:?}");
        assert!(seen.stderr.contains("can't open file"), "{seen:?}");
        assert!(seen.stderr.contains("Operation not permitted"), "{seen:?}");
    }
}
