//! A backend of another system: it is named, it says why it cannot be used, and nothing runs under it.

#![cfg(target_os = "linux")]
#![expect(clippy::unwrap_used, reason = "a test fails where its setting is broken")]

use std::process::{Command, Output};

fn certify(backend: &str, folder: &std::path::Path) -> Output {
    #[expect(clippy::disallowed_methods, reason = "the command under test")]
    let mut command = Command::new(env!("CARGO_BIN_EXE_escapology"));
    command.args(["certify", "--backend", backend, "--runtime", "native", "fs-read/open", "--out"]);
    command.arg(folder.join(backend)).output().unwrap()
}

#[test]
fn seatbelt_is_unavailable_on_linux_with_its_reason_and_nothing_runs() {
    let folder = tempfile::tempdir().unwrap();
    let seatbelt = certify("seatbelt", folder.path());
    assert_eq!(seatbelt.status.code(), Some(3), "{seatbelt:?}");
    let text = String::from_utf8(seatbelt.stdout).unwrap();
    assert!(text.contains("Seatbelt is a part of macOS"), "{text}");
    let records = |name: &str| {
        std::fs::read_to_string(folder.path().join(name).join("records.jsonl")).unwrap()
    };
    assert!(!records("seatbelt").contains("\"record\":\"attempt\""));
    // The same run under a backend that is there does run.
    certify("none", folder.path());
    assert!(records("none").contains("\"record\":\"attempt\""));
}
