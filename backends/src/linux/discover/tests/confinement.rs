//! The truth about needs: programs are started by a thread that Landlock denies everything else.

use std::os::unix::process::CommandExt;
use std::process::{Output, Stdio};

use landlock::{
    ABI, Access, AccessFs, CompatLevel, Compatible, PathBeneath, PathFd, Ruleset, RulesetAttr,
    RulesetCreatedAttr,
};

use super::*;

/// Runs `act` in a thread that may reach nothing but what is granted.
pub(super) fn confined<T: Send>(
    needs: &Needs,
    also_read: &[&Path],
    act: impl FnOnce() -> T + Send,
) -> T {
    std::thread::scope(|scope| {
        let thread = scope.spawn(|| {
            let ruleset = Ruleset::default()
                .set_compatibility(CompatLevel::HardRequirement)
                .handle_access(AccessFs::from_all(ABI::V1))
                .unwrap();
            let mut ruleset = ruleset.create().unwrap();
            let execute = needs.execute.iter().map(|path| (path.as_path(), AccessFs::Execute));
            let reads = needs.read.iter().map(PathBuf::as_path).chain(also_read.iter().copied());
            for (path, access) in execute.chain(reads.map(|path| (path, AccessFs::ReadDir))) {
                let mut access = access | AccessFs::ReadFile;
                if !path.is_dir() {
                    access &= AccessFs::from_file(ABI::V1);
                }
                let rule = PathBeneath::new(PathFd::new(path).unwrap(), access);
                ruleset = ruleset.add_rule(rule).unwrap();
            }
            ruleset.restrict_self().unwrap();
            act()
        });
        thread.join().unwrap()
    })
}

/// Launches a program as its needs say, with nothing else granted but `also_read`.
pub(super) fn run(needs: &Needs, arguments: &[&str], also_read: &[&Path]) -> Output {
    confined(needs, also_read, || bare(needs, arguments))
}

/// The same launch without confinement.
pub(super) fn bare(needs: &Needs, arguments: &[&str]) -> Output {
    command(&needs.image)
        .arg0(&needs.argument0)
        .args(&needs.prefix_arguments)
        .args(arguments)
        .env_clear()
        .env("LANG", "C.UTF-8")
        .stdin(Stdio::piped())
        .output()
        .unwrap()
}

pub(super) fn said(output: &Output) -> (String, String, Option<i32>) {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (text(&output.stdout), text(&output.stderr), output.status.code())
}

#[test]
fn each_kind_of_linkage_starts_with_its_needs_and_no_other_grant() {
    let folder = Folder::new();
    let mut kinds: Vec<(&str, &str, &str)> = vec![
        ("cc", "static", "-static"),
        ("cc", "static-pie", "-static-pie"),
        ("cc", "dynamic", "-no-pie"),
        ("cc", "with space", "-pie"),
    ];
    // The other C library, on hosts that have its compiler.
    if command("musl-gcc").arg("--version").output().is_ok() {
        kinds.extend([("musl-gcc", "musl", "-pie"), ("musl-gcc", "static-musl", "-static")]);
    }
    for (compiler, name, option) in kinds {
        let needs = discover(folder.compile_with(compiler, name, HELLO, &[option])).unwrap();
        assert_well_formed(&needs);
        let hello = ("HELLO\n".to_owned(), String::new(), Some(0));
        assert_eq!(said(&run(&needs, &[], &[])), hello, "{name}");
        // The twin: without the right to read and execute the image, the kernel starts nothing.
        let nothing = Needs { execute: [].into(), read: [].into(), ..needs };
        let start =
            confined(&nothing, &[], || command(&nothing.image).stdin(Stdio::piped()).output());
        assert_eq!(start.unwrap_err().kind(), std::io::ErrorKind::PermissionDenied, "{name}");
    }
}

#[test]
fn programs_of_this_host_start_with_their_needs() {
    for (path, arguments) in [("/bin/true", [].as_slice()), ("/bin/sh", &["-c", "echo HELLO"])] {
        let needs = discover(path).unwrap();
        assert_well_formed(&needs);
        let output = said(&run(&needs, arguments, &[]));
        assert_eq!(output, said(&bare(&needs, arguments)));
        assert_eq!(output.2, Some(0));
    }
}

#[test]
fn what_is_readable_does_not_include_home_or_variable_data() {
    let needs = discover("/bin/cat").unwrap();
    let folder = Folder::new();
    let secret = folder.file("secret", "s", 0o644);
    let forbidden =
        ["/etc", "/root", "/home", "/var", "/opt", "/srv", "/usr", "/usr/lib", "/usr/share"];
    assert!(forbidden.iter().all(|path| !needs.read.contains(Path::new(path))), "{needs:?}");
    let secret_path = secret.to_str().unwrap();
    assert_eq!(said(&run(&needs, &[secret_path], &[])).0, "");
    assert_eq!(said(&run(&needs, &[secret_path], &[&secret])).0, "s");
}
