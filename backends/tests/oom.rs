//! Whom the kernel ends when memory runs out: a launcher that is spared does not hand that on. One test, because
//! it changes what all children of this process inherit.

#![cfg(target_os = "linux")]
#![expect(clippy::unwrap_used, reason = "a test fails where its setting is broken")]

use backends::backend::Backend;
use backends::child::Exit;
use backends::command::{Command, Input};
use backends::linux::discover;
use backends::native::native;
use backends::none::none;
use backends::policy::Policy;
use std::ffi::OsStr;
use std::fs;
use std::path::Path;

fn score(process: &str) -> i32 {
    fs::read_to_string(format!("/proc/{process}/oom_score_adj")).unwrap().trim().parse().unwrap()
}

/// The score of a program while it waits for its input.
fn of_program(backend: &dyn Backend) -> i32 {
    let folder = tempfile::tempdir().unwrap();
    let needs = discover::program(Path::new("/bin/cat"), OsStr::new("/usr/bin:/bin")).unwrap();
    let policy = Policy::builder().needs(&needs).unwrap().build().unwrap();
    let confinement = backend.prepare(&policy).unwrap();
    let mut command = Command::new(needs.image, folder.path());
    command.input = Input::Fed;
    let mut child = confinement.launch(command).unwrap();
    let score = score(&child.id().to_string());
    child.close_input();
    assert_eq!(child.wait().unwrap().ended.exit, Exit::Code(0));
    score
}

#[test]
fn a_launcher_that_is_spared_when_memory_runs_out_does_not_hand_that_on() {
    let before = score("self");
    match fs::write("/proc/self/oom_score_adj", "-500") {
        Ok(()) => {
            assert_eq!(of_program(&none()), -500, "the control inherits it");
            assert_eq!(of_program(&native()), 0);
            assert_eq!(score("self"), -500, "the launcher stays spared");
        }
        // To be spared needs CAP_SYS_RESOURCE; who is not has nothing to hand on.
        Err(error) => assert_eq!(error.raw_os_error(), Some(libc::EACCES)),
    }
    // Who is to be ended first stays so.
    fs::write("/proc/self/oom_score_adj", "300").unwrap();
    assert_eq!((of_program(&none()), of_program(&native())), (300, 300));
    fs::write("/proc/self/oom_score_adj", before.to_string()).unwrap();
}
