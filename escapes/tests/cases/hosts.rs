//! The process that starts `escapology run` is odd: streams closed, signals ignored or blocked, a
//! working directory that is gone, descriptors left open. The program must see nothing of it.

use super::{ESCAPOLOGY, Folder, command, ended, escapology, under};
use std::fs;

#[test]
fn closed_streams_of_the_host_become_pipes_of_the_program() {
    let folder = Folder::new();
    let granted = folder.directory("granted");
    let seen = folder.path("granted/seen");
    let script = format!(
        r#"p=; for f in 0 1 2; do [ -p /proc/self/fd/$f ] && p=$p$f; done; echo "$p" >"{granted}/seen"; exit 7"#
    );
    let closings = ["", "<&-", ">&-", "2>&-", "<&- >&-", "<&- 2>&-", ">&- 2>&-", "<&- >&- 2>&-"];
    for closing in closings {
        let host = format!(r#"exec "$@" {closing}"#);
        let program = ["/bin/bash", "-c", &script];
        let confined =
            under(&host, &[&[ESCAPOLOGY, "run", "--write", &granted, "--"], &program[..]].concat());
        assert_eq!(confined.code, 7, "{closing}: {}", confined.error);
        assert_eq!(fs::read_to_string(&seen).unwrap(), "012\n", "{closing}");
        fs::remove_file(&seen).unwrap();
        let bare = under(&host, &program);
        assert_eq!(bare.code, 7, "{closing}");
        let closed = fs::read_to_string(&seen).unwrap() != "12\n";
        assert_eq!(closed, closing.contains('>'), "{closing}: the host has closed its streams");
        fs::remove_file(&seen).unwrap();
    }
}

#[test]
fn ignored_and_blocked_signals_of_the_host_are_neither_for_the_program() {
    let odd = ["--ignore-signal=INT,TERM,PIPE,CHLD,USR1", "--block-signal=TERM,USR2,ALRM"];
    let look = ["/bin/grep", "-E", "^Sig(Blk|Ign):", "/proc/self/status"];
    let clean = "SigBlk:\t0000000000000000\nSigIgn:\t0000000000000000\n";
    let run = [ESCAPOLOGY, "run", "--read", "/proc", "--"];
    let confined = ended(command("/usr/bin/env").args(odd).args(run).args(look));
    assert_eq!(String::from_utf8_lossy(&confined.output), clean, "{}", confined.error);
    let bare = ended(command("/usr/bin/env").args(odd).args(look));
    assert_eq!(bare.code, 0, "{}", bare.error);
    assert_ne!(String::from_utf8_lossy(&bare.output), clean, "the host is odd");
    let code = ["/bin/sh", "-c", "exit 7"];
    let confined = ended(command("/usr/bin/env").args(odd).args(run).args(code));
    assert_eq!(confined.code, 7, "the code survives an ignored SIGCHLD: {}", confined.error);
}

#[test]
fn a_program_starts_in_its_run_directory_wherever_the_host_is() {
    let folder = Folder::new();
    let odd = folder.text("odd\nname");
    let pwd = "/bin/pwd";
    for (place, script) in [
        ("deleted", format!(r#"mkdir "{odd}"; cd "{odd}"; rmdir "{odd}"; exec "$@""#)),
        ("closed", format!(r#"mkdir "{odd}"; cd "{odd}"; chmod 0 "{odd}"; exec "$@""#)),
        ("newline", format!(r#"chmod 700 "{odd}"; cd "{odd}"; exec "$@""#)),
        ("/proc", r#"cd /proc; exec "$@""#.to_owned()),
    ] {
        let confined = under(&script, &[ESCAPOLOGY, "run", "--", pwd]);
        let printed = String::from_utf8(confined.output).unwrap();
        assert_eq!((confined.code, confined.error.as_str()), (0, ""), "{place}");
        assert!(printed.contains("/escapology-run-"), "{place}: {printed}");
        let _left = fs::remove_dir(&odd).or_else(|_kept| fs::create_dir(&odd));
        let bare = under(&script, &[pwd]);
        let elsewhere = !String::from_utf8_lossy(&bare.output).contains("/escapology-run-");
        assert!(elsewhere, "{place}: a bare program stays with its host");
        if place != "closed" {
            let _left = fs::remove_dir(&odd);
        }
    }
    let relative = escapology(&["run", "--read", ".", "--", pwd]);
    assert_eq!(relative.code, 125);
    assert!(relative.error.contains("relative"), "{}", relative.error);
}

#[test]
fn a_relative_name_reaches_nothing_of_the_hosts_directory() {
    let folder = Folder::new();
    let script = format!(r#"cd "{}"; exec "$@""#, folder.text(""));
    let read = ["/bin/bash", "-c", "read -r line <secret; echo \"$line\"; echo x >here"];
    let confined = under(&script, &[&[ESCAPOLOGY, "run", "--"], &read[..]].concat());
    assert!(!String::from_utf8_lossy(&confined.output).contains(&folder.secret));
    assert!(!folder.path("here").exists());
    let bare = under(&script, &read);
    assert!(String::from_utf8_lossy(&bare.output).contains(&folder.secret));
    assert!(folder.path("here").exists());
}

#[test]
fn a_descriptor_that_the_host_left_open_is_not_there() {
    let folder = Folder::new();
    for number in [3, 9, 250] {
        let script = format!(r#"exec {number}<"{}"; exec "$@""#, folder.text("secret"));
        let read = format!("read -r line <&{number}; echo \"$line\"; exit 0");
        let program = ["/bin/bash", "-c", &read];
        let confined = under(&script, &[&[ESCAPOLOGY, "run", "--"], &program[..]].concat());
        assert_eq!(confined.code, 0, "{}", confined.error);
        assert_eq!(confined.output, b"\n", "descriptor {number}");
        assert!(confined.error.contains("Bad file descriptor"), "{}", confined.error);
        let bare = under(&script, &program);
        assert!(String::from_utf8_lossy(&bare.output).contains(&folder.secret), "{number}");
    }
}

#[test]
fn a_report_that_nobody_can_read_is_no_success() {
    let folder = Folder::new();
    let out = folder.text("out");
    let certify = "certify --backend native --runtime native fs-read/open";
    let written = under(&format!("{ESCAPOLOGY} {certify} --out {out} >/dev/null"), &[]);
    assert_eq!(written.code, 0, "{}", written.error);
    for arguments in [certify, "list", "explain fs-read/open", &format!("verify {out}"), "--help"] {
        // A user's own way to throw it away is no error; Python's `subprocess.DEVNULL` is open both ways.
        for redirection in [">/dev/null", "1<>/dev/null"] {
            let thrown = under(&format!("{ESCAPOLOGY} {arguments} {redirection}"), &[]);
            assert_eq!(thrown.code, 0, "{arguments} {redirection}: {}", thrown.error);
        }
        let closed = under(&format!("{ESCAPOLOGY} {arguments} >&-"), &[]);
        assert_eq!(closed.code, 3, "{arguments}: {}", closed.error);
        assert!(closed.error.contains("standard output is closed"), "{}", closed.error);
    }
}
