//! What stands on the command line: bytes, separators, grants that are none, characters that would act
//! on a terminal.

use super::{ESCAPOLOGY, Folder, command, ended, escapology};
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;

#[test]
fn everything_after_the_separator_arrives_byte_for_byte() {
    let bytes: Vec<&OsStr> = [
        &b"/usr/bin/printf"[..],
        b"%s\\n",
        b"\xff\xfe",
        b"",
        b"--write=/",
        b"--timeout",
        b"0",
        b"--",
        b"--json",
        b"a b'\"*$HOME",
    ]
    .into_iter()
    .map(OsStr::from_bytes)
    .collect();
    let confined = ended(command(ESCAPOLOGY).args(["run", "--"]).args(&bytes));
    let bare = ended(command(bytes[0]).args(&bytes[1..]));
    assert_eq!(confined.code, 0, "{}", confined.error);
    assert_eq!(confined.output, bare.output);
    assert!(bare.output.starts_with(b"\xff\xfe\n\n--write=/\n"));
}

#[test]
fn a_command_line_that_is_none_runs_nothing() {
    let folder = Folder::new();
    let secret = folder.text("secret");
    let cases: &[(i32, &[&str])] = &[
        (2, &["run"]),
        (2, &["run", "--"]),
        (2, &["run", "/bin/cat", &secret]),
        (2, &["run", "--read", &secret, "/bin/cat", &secret]),
        (2, &["run", "--read", "", "--", "/bin/cat", &secret]),
        (2, &["run", "--red", &secret, "--", "/bin/cat", &secret]),
        (2, &["run", "--timeout", "--", "/bin/cat", &secret]),
        (2, &["run", "--memory", "0", "--read", &secret, "--", "/bin/cat", &secret]),
        (2, &["run", "--backend", "", "--read", &secret, "--", "/bin/cat", &secret]),
        (2, &["run", "--backend", "Native", "--read", &secret, "--", "/bin/cat", &secret]),
        (125, &["run", "--read", "~", "--", "/bin/cat", &secret]),
        (125, &["run", "--read", "*", "--", "/bin/cat", &secret]),
        (125, &["run", "--read", "/", "--", "/bin/cat", &secret]),
        (127, &["run", "--", "--read=/", "/bin/cat", &secret]),
        (127, &["run", "--", "--", "/bin/cat", &secret]),
    ];
    for (code, arguments) in cases {
        let seen = ended(command(ESCAPOLOGY).args(*arguments).env("PATH", "/usr/bin:/bin"));
        assert_eq!(seen.code, *code, "{arguments:?}: {}", seen.error);
        assert!(seen.output.is_empty(), "{arguments:?}");
        assert!(!seen.error.is_empty(), "{arguments:?}");
    }
    let granted = escapology(&["run", "--read", &secret, "--", "/bin/cat", &secret]);
    assert_eq!(String::from_utf8_lossy(&granted.output), folder.secret, "{}", granted.error);
}

#[test]
fn a_name_that_is_not_utf_8_is_an_ordinary_error() {
    let odd = OsStr::from_bytes(b"/tmp/\xff");
    for (code, arguments) in [
        (2, vec![odd]),
        (125, vec![OsStr::new("run"), OsStr::new("--read"), odd, OsStr::new("--"), odd]),
        (127, vec![OsStr::new("run"), OsStr::new("--"), odd]),
    ] {
        let seen = escapology(&arguments);
        assert_eq!(seen.code, code, "{arguments:?}: {}", seen.error);
        assert!(!seen.error.contains("panicked"), "{}", seen.error);
    }
    let inherited = command(ESCAPOLOGY).args(["run", "--", "/bin/true"]).env("ODD", odd).output();
    assert!(inherited.unwrap().status.success());
}

#[test]
fn what_the_command_says_of_an_argument_cannot_act_on_a_terminal() {
    let odd = "no\u{202e}such\u{7}";
    for arguments in [
        vec![odd],
        vec!["certify", odd],
        vec!["certify", "--backend", odd],
        vec!["certify", "--expect", odd],
        vec!["explain", odd],
        vec!["list", odd],
        vec!["run", odd],
        vec!["run", "--memory", odd, "--", "true"],
        vec!["run", "--read", odd, "--", "true"],
        vec!["run", "--", odd],
    ] {
        let seen = escapology(&arguments);
        assert_ne!(seen.code, 0, "{arguments:?}");
        assert!(seen.error.contains("such"), "the argument is named: {}", seen.error);
        let hostile = |character: char| character == '\u{202e}' || character == '\u{7}';
        assert!(!seen.error.contains(hostile), "{arguments:?}: {:?}", seen.error);
    }
}

/// A message of several lines would be told with its line ends escaped, and be noise.
#[test]
fn what_is_wrong_with_a_command_is_said_in_plain_words() {
    let folder = Folder::new();
    let wrapper = folder.text("wrapper.toml");
    std::fs::write(
        &wrapper,
        "name = \"mine\"\nmechanism = \"mine\"\nstart = [\"env\"]\nstrat = 1\n",
    )
    .unwrap();
    for (arguments, says) in [
        (&["certify", "--backend", &wrapper][..], "at line 4, column 1: unknown field `strat`"),
        (&["run", "--timeout", "-1", "--", "true"], "\"-1\" is no time to wait"),
        (&["run", "--timeout", "nan", "--", "true"], "\"nan\" is no time to wait"),
        (&["run", "--memory", "-1", "--", "true"], "\"-1\" is no number of bytes"),
        (&["list", "no-such-id"], "no id holds \"no-such-id\""),
    ] {
        let seen = escapology(arguments);
        assert_eq!(seen.code, 2, "{arguments:?}: {}", seen.error);
        assert!(seen.error.contains(says), "{arguments:?}: {}", seen.error);
        assert!(!seen.error.contains(r"\u{a}"), "{arguments:?}: {}", seen.error);
    }
    let explained = escapology(&["explain-policy", "--timeout", "2", "--", "/bin/true"]);
    let explained = String::from_utf8_lossy(&explained.output);
    assert!(explained.contains("wall clock 2000 ms, CPU unlimited, "), "{explained}");
}
