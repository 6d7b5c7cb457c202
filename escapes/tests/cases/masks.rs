//! A kernel that lacks, refuses or fakes what confines: nothing runs, and `run`, `probe`, `doctor` and
//! `certify` name the same cause.

use super::{ESCAPOLOGY, Ended, Folder, command, ended};
use std::path::{Path, PathBuf};

/// Builds `mask.c`, which gives the kernel's answers of such a host.
fn mask(folder: &Folder) -> PathBuf {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/mask.c");
    let mask = folder.path("mask");
    let mut compiler = command("cc");
    let compiled = compiler.arg("-O1").arg("-o").arg(&mask).arg(source).output();
    let compiled = compiled.expect("these tests need the C compiler `cc`");
    assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
    mask
}

/// A command on a host whose `call` answers `answer`.
fn masked(mask: &Path, call: &str, answer: &str, arguments: &[&str]) -> Ended {
    ended(command(mask).args([call, answer]).args(arguments))
}

/// What the present host does when nothing is masked: the control of every test here.
fn control(folder: &Folder) {
    let secret = folder.text("secret");
    let run =
        ended(command(ESCAPOLOGY).args(["run", "--read", &secret, "--", "/bin/cat", &secret]));
    assert_eq!(String::from_utf8_lossy(&run.output), folder.secret, "{}", run.error);
    let denied = ended(command(ESCAPOLOGY).args(["run", "--", "/bin/cat", &secret]));
    assert_eq!(denied.code, 1, "{}", denied.error);
    let probe = ended(command(ESCAPOLOGY).args(["probe", "--json"]));
    assert_eq!(probe.code, 0, "{}", String::from_utf8_lossy(&probe.output));
    assert!(String::from_utf8_lossy(&probe.output).contains(r#""tier":"S1""#));
    let doctor = ended(command(ESCAPOLOGY).arg("doctor"));
    assert_eq!(doctor.code, 0, "{}", String::from_utf8_lossy(&doctor.output));
}

/// Each command on the masked host: none runs a program, none says S1, all say `cause`.
fn refuses(mask: &Path, folder: &Folder, call: &str, answer: &str, cause: &str) {
    let secret = folder.text("secret");
    let bare = masked(mask, call, answer, &["/bin/cat", &secret]);
    assert_eq!(
        String::from_utf8_lossy(&bare.output),
        folder.secret,
        "the mask alone hides nothing"
    );
    let run = ["run", "--", "/bin/cat", &secret];
    let granted = ["run", "--read", &secret, "--", "/bin/cat", &secret];
    for (codes, arguments) in [
        (&[125][..], &run[..]),
        (&[125], &granted),
        (&[1, 3], &["probe", "--json"]),
        (&[3], &["doctor"]),
    ] {
        let seen = masked(mask, call, answer, &[&[ESCAPOLOGY], arguments].concat());
        let output = String::from_utf8_lossy(&seen.output);
        let about = format!("{call} {answer}: {arguments:?}: {output}{}", seen.error);
        assert!(codes.contains(&seen.code), "{}: {about}", seen.code);
        assert!(!output.contains(&folder.secret), "{about}");
        assert!(!output.contains(r#""tier":"S1""#), "{about}");
        assert!(output.contains(cause) || seen.error.contains(cause), "{cause}: {about}");
    }
}

#[test]
fn a_kernel_without_landlock_runs_nothing_and_the_reasons_differ() {
    let folder = Folder::new();
    let mask = mask(&folder);
    control(&folder);
    for (answer, cause) in [
        ("ENOSYS", "this kernel has no Landlock"),
        ("EOPNOTSUPP", "Landlock is switched off"),
        ("EPERM", "forbids Landlock"),
    ] {
        refuses(&mask, &folder, "landlock_create_ruleset", answer, cause);
    }
    refuses(&mask, &folder, "landlock_add_rule", "EPERM", "landlock_add_rule");
    refuses(&mask, &folder, "landlock_restrict_self", "EPERM", "landlock_restrict_self");
}

#[test]
fn a_kernel_that_claims_to_enforce_and_does_not_runs_nothing() {
    let folder = Folder::new();
    let mask = mask(&folder);
    control(&folder);
    let idle = "accepts the call and does not enforce it";
    refuses(&mask, &folder, "landlock_restrict_self", "0", idle);
    for call in [
        "seccomp",
        "close_range",
        "prlimit64",
        "death_signal",
        "setsid",
        "rt_sigprocmask",
        "dup3",
        "execveat",
    ] {
        refuses(&mask, &folder, call, "0", idle);
    }
    // An ordinary user has no capabilities to lose.
    if rustix::process::geteuid().is_root() {
        refuses(&mask, &folder, "capset", "0", idle);
    }
}

#[test]
fn a_kernel_that_starts_no_program_is_found_out_by_all() {
    let folder = Folder::new();
    let mask = mask(&folder);
    control(&folder);
    for (call, answer) in [
        ("execveat", "ENOSYS"),
        ("execveat", "EPERM"),
        ("clone3", "EPERM"),
        ("close_range", "ENOSYS"),
        ("prlimit64", "EPERM"),
    ] {
        refuses(&mask, &folder, call, answer, call);
    }
}

#[test]
fn a_kernel_that_takes_no_filter_runs_nothing() {
    let folder = Folder::new();
    let mask = mask(&folder);
    control(&folder);
    let (kernel, another) = ("; the kernel needs CONFIG_SECCOMP_FILTER", "; look for a filter");
    for (answer, cause, remedy) in [
        ("ENOSYS", "Function not implemented", kernel),
        ("EINVAL", "Invalid argument", kernel),
        ("EPERM", "Operation not permitted", another),
        ("0", "does not enforce it", another),
    ] {
        refuses(&mask, &folder, "seccomp", answer, cause);
        refuses(&mask, &folder, "seccomp", answer, remedy);
    }
    refuses(&mask, &folder, "no_new_privs", "EPERM", "PR_SET_NO_NEW_PRIVS");
}

#[test]
fn a_certificate_of_a_masked_host_holds_nothing() {
    let folder = Folder::new();
    let mask = mask(&folder);
    let certify = ["certify", "--runtime", "native", "fs-read/link-in"];
    let whole = ended(command(ESCAPOLOGY).args(certify));
    let output = String::from_utf8_lossy(&whole.output);
    assert_eq!(whole.code, 0, "{output}{}", whole.error);
    assert!(output.contains("held"), "{output}");
    for (call, answer) in
        [("landlock_create_ruleset", "ENOSYS"), ("landlock_restrict_self", "0"), ("seccomp", "0")]
    {
        let seen = masked(&mask, call, answer, &[&[ESCAPOLOGY], &certify[..]].concat());
        let output = String::from_utf8_lossy(&seen.output);
        assert!([1, 3].contains(&seen.code), "{call} {answer}: {}: {output}", seen.code);
        assert!(!output.contains("held"), "{call} {answer}: {output}");
        assert!(output.contains("cannot be enforced"), "{call} {answer}: {output}");
    }
}

#[test]
fn a_host_that_gives_no_mount_namespace_hides_nothing_and_runs_nothing_hidden() {
    let folder = Folder::new();
    let mask = mask(&folder);
    let secret = folder.text("secret");
    let hidden = ["run", "--hide-metadata", "--read", &secret, "--", "/bin/cat", &secret];
    let run = ended(command(ESCAPOLOGY).args(hidden));
    assert_eq!(String::from_utf8_lossy(&run.output), folder.secret, "{}", run.error);
    for call in ["mount", "pivot_root", "umount2", "mount_setattr"] {
        for answer in ["EPERM", "ENOSYS", "0"] {
            let seen = masked(&mask, call, answer, &[&[ESCAPOLOGY], &hidden[..]].concat());
            assert_eq!(seen.code, 125, "{call} {answer}: {}", seen.error);
            assert!(seen.output.is_empty(), "{call} {answer}: {}", seen.error);
            assert!(seen.error.contains("metadata cannot be enforced"), "{call}: {}", seen.error);
        }
        // Without the option none of these calls is made.
        let plain = ["run", "--read", &secret, "--", "/bin/cat", &secret];
        let seen = masked(&mask, call, "EPERM", &[&[ESCAPOLOGY], &plain[..]].concat());
        assert_eq!(String::from_utf8_lossy(&seen.output), folder.secret, "{call}: {}", seen.error);
    }
}
