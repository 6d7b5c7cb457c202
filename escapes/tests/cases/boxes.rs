//! Sandboxes with a fault, as wrapper files: one that does nothing, one that denies everything, one that
//! cannot start, one that loses the output. None of them may hold an escape.

use super::{ESCAPOLOGY, Ended, Folder, command, ended};
use std::fs;
use std::os::unix::fs::PermissionsExt;

const ESCAPE: &str = "fs-read/link-in";

/// Certifies a sandbox that is this script. Its name is its answer's name.
fn certify(folder: &Folder, name: &str, script: &str) -> Ended {
    let program = folder.text(name);
    fs::write(&program, script).unwrap();
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    let file = folder.text(&format!("{name}.toml"));
    let description = format!(
        "name = {name:?}\nmechanism = \"a script\"\nstart = [{program:?}]\nerrnos = [1, 13]\n"
    );
    fs::write(&file, description).unwrap();
    let arguments = ["certify", "--backend", &file, "--runtime", "native", ESCAPE];
    ended(command(ESCAPOLOGY).args(arguments))
}

#[test]
fn a_sandbox_that_does_nothing_holds_nothing() {
    let folder = Folder::new();
    let seen = certify(&folder, "nothing", "#!/bin/sh\nexec \"$@\"\n");
    let output = String::from_utf8_lossy(&seen.output);
    assert_eq!(seen.code, 1, "{output}{}", seen.error);
    assert!(output.contains("escaped"), "{output}");
    assert!(!output.contains("held"), "{output}");
    let native = ["certify", "--runtime", "native", ESCAPE];
    let native = ended(command(ESCAPOLOGY).args(native));
    let output = String::from_utf8_lossy(&native.output);
    assert!(native.code == 0 && output.contains("held"), "{output}{}", native.error);
}

#[test]
fn a_sandbox_that_cannot_start_holds_nothing_and_says_why() {
    let folder = Folder::new();
    for (name, script, why) in [
        ("denies", "#!/bin/sh\necho refused >&2\nexit 1\n", "refused"),
        ("refuses", "#!/bin/sh\nexit 126\n", "126"),
        ("headless", "#!/nonexistent/interpreter\n", "/nonexistent/interpreter"),
    ] {
        let seen = certify(&folder, name, script);
        let output = String::from_utf8_lossy(&seen.output);
        assert_eq!(seen.code, 3, "{name}: {output}{}", seen.error);
        assert!(output.contains("unavailable") && output.contains(why), "{name}: {output}");
        assert!(!output.contains("held"), "{name}: {output}");
    }
}

#[test]
fn a_sandbox_that_starts_nothing_or_loses_the_output_is_inconclusive() {
    let folder = Folder::new();
    for (name, script) in [
        ("pretends", "#!/bin/sh\necho sandbox failed >&2\nexit 0\n"),
        ("swallows", "#!/bin/sh\nexec \"$@\" >/dev/null\n"),
        ("joins", "#!/bin/sh\nexec /bin/sh -c \"$*\"\n"),
    ] {
        let seen = certify(&folder, name, script);
        let output = String::from_utf8_lossy(&seen.output);
        assert!([1, 3].contains(&seen.code), "{name}: {output}{}", seen.error);
        assert!(!output.contains("held"), "{name}: {output}");
    }
}
