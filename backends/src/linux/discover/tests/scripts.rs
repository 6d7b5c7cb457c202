//! Scripts become their interpreter, or are refused by name.

use super::confinement::{run, said};
use super::*;

fn line_error(folder: &Folder, text: &str) -> ScriptLineError {
    match discover(folder.script("script", text)).unwrap_err() {
        DiscoverError::ScriptLine { cause, .. } => cause,
        other => panic!("{other}"),
    }
}

#[test]
fn a_script_runs_by_its_interpreter_without_a_second_exec() {
    let folder = Folder::new();
    let cases = [
        ("plain", "#!/bin/sh\necho HELLO\n"),
        ("with space", "#! /bin/sh -e \necho HELLO\n"),
        ("by-env", "#!/usr/bin/env sh\necho HELLO\n"),
        ("split", "#!/usr/bin/env -S sh -e -u\necho HELLO\n"),
        ("unended", "#!/bin/sh"),
    ];
    for (name, text) in cases {
        let script = folder.script(name, text);
        let needs = discover(&script).unwrap();
        assert_well_formed(&needs);
        assert_eq!(needs.image, fs::canonicalize("/bin/sh").unwrap());
        assert_eq!(needs.prefix_arguments.last().unwrap(), script.as_os_str());
        assert!(needs.read.contains(&script));
        let expected = if text.contains("HELLO") { "HELLO\n" } else { "" };
        assert_eq!(said(&run(&needs, &[], &[])), (expected.to_owned(), String::new(), Some(0)));
    }
}

#[test]
fn arguments_of_the_interpreter_line_are_passed_as_the_kernel_or_env_would() {
    let folder = Folder::new();
    let arguments = |text: &str| {
        let script = folder.script("script", text);
        let mut arguments = discover(script).unwrap().prefix_arguments;
        arguments.pop();
        arguments
    };
    // The kernel passes one argument, blanks and all.
    assert_eq!(arguments("#!/bin/sh -a  b\t\n"), ["-a  b"]);
    assert_eq!(arguments("#!/usr/bin/env -S sh -a  b\n"), ["-a", "b"]);
    assert_eq!(arguments("#!/bin/sh\n"), Vec::<OsString>::new());
}

#[test]
fn a_link_to_a_script_keeps_its_name_and_grants_the_real_file() {
    let folder = Folder::new();
    let script = folder.script("real", "#!/bin/sh\necho \"${0##*/}\"\n");
    let link = folder.link("link", &script);
    let needs = discover(&link).unwrap();
    assert!(needs.read.contains(&script));
    assert_eq!(said(&run(&needs, &[], &[])).0, "link\n");
}

#[test]
fn odd_interpreter_lines_are_refused() {
    let folder = Folder::new();
    assert_eq!(line_error(&folder, "#!\n"), ScriptLineError::Empty);
    assert_eq!(line_error(&folder, "#!bin/sh\n"), ScriptLineError::Relative);
    assert_eq!(line_error(&folder, "#!/usr/bin/env bin/sh\n"), ScriptLineError::Relative);
    let long = format!("#!/bin/sh {}\n", "a".repeat(300));
    assert_eq!(line_error(&folder, &long), ScriptLineError::TooLong);
    for text in ["env", "env -i sh", "env A=b", "env sh -e", "env -S sh 'a b'", "env -S A=b sh"] {
        let text = format!("#!/usr/bin/{text}\n");
        assert_eq!(line_error(&folder, &text), ScriptLineError::Env, "{text:?}");
    }
}

#[test]
fn a_missing_interpreter_is_named_with_its_script_and_is_not_a_missing_program() {
    let folder = Folder::new();
    for text in ["#!/nowhere/interpreter\n", "#!/usr/bin/env no-such-interpreter\n"] {
        let script = folder.script("script", text);
        let error = discover(&script).unwrap_err();
        assert!(matches!(error, DiscoverError::Script { .. }), "{error}");
        assert!(!error.is_not_found());
        let message = error.to_string();
        assert!(message.contains(script.to_str().unwrap()), "{message}");
        assert!(message.contains("interpreter"), "{message}");
    }
}

#[test]
fn a_script_whose_interpreter_is_a_script_is_refused_with_both_names() {
    let folder = Folder::new();
    let inner = folder.script("inner", "#!/bin/sh\n");
    let outer = folder.script("outer", &format!("#!{}\n", inner.display()));
    let message = match discover(&outer).unwrap_err() {
        error @ DiscoverError::NestedScript { .. } => error.to_string(),
        other => panic!("{other}"),
    };
    assert!(message.contains(inner.to_str().unwrap()) && message.contains(outer.to_str().unwrap()));
    assert!(!message.contains('\n'));
}

#[test]
fn a_shim_for_python_is_refused_and_not_run() {
    let folder = Folder::new();
    let trace = folder.path.join("trace");
    let text = format!("#!/bin/sh\necho ran >{}\n", trace.display());
    for name in ["python", "python3", "python3.13t", "pypy3"] {
        let shim = folder.script(name, &text);
        let error = discover(&shim).unwrap_err();
        assert!(matches!(error, DiscoverError::Shim { .. }), "{error}");
        let message = error.to_string();
        assert!(message.contains(shim.to_str().unwrap()) && message.contains("/bin/sh"));
    }
    assert!(!trace.exists());
    // Another name is an ordinary script.
    let needs = discover(folder.script("pythonic", "#!/bin/sh\necho HELLO\n")).unwrap();
    assert_eq!(said(&run(&needs, &[], &[])).0, "HELLO\n");
}
