//! Linux. Ends what a run without confinement left running. A process is one of the run's if its environment
//! or its working directory names the run's folder, which holds a name that nobody else has; it is killed
//! through a descriptor, never by its number, which may be another's by then.
//!
//! A program that hides from this can do so: without confinement nothing holds it.

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, PidfdFlags, Signal, pidfd_open, pidfd_send_signal};
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

/// How often the process table is read: each process that is killed may have started another.
const ROUNDS: usize = 20;

/// Kills them and waits for their death. Whether none is left.
pub(super) fn end(folder: &Path) -> bool {
    for _ in 0..ROUNDS {
        let found = find(folder);
        if found.is_empty() {
            return true;
        }
        for pid in found {
            let Some(pid) = Pid::from_raw(pid) else { continue };
            let Ok(process) = pidfd_open(pid, PidfdFlags::empty()) else { continue };
            // The number may have changed hands between the two looks.
            if belongs(pid.as_raw_nonzero().get(), folder) {
                let _dead_already = pidfd_send_signal(&process, Signal::KILL);
                let wait = Timespec { tv_sec: 1, tv_nsec: 0 };
                let _looked_at_again =
                    poll(&mut [PollFd::new(&process, PollFlags::IN)], Some(&wait));
            }
        }
    }
    false
}

fn find(folder: &Path) -> Vec<i32> {
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    entries
        .filter_map(|entry| entry.file_name().to_str()?.parse().ok())
        .filter(|pid| u32::try_from(*pid) != Ok(std::process::id()) && belongs(*pid, folder))
        .collect()
}

fn belongs(pid: i32, folder: &Path) -> bool {
    let place = |name: &str| {
        fs::read_link(format!("/proc/{pid}/{name}")).is_ok_and(|path| path.starts_with(folder))
    };
    let named = |file: &str| {
        let folder = folder.as_os_str().as_bytes();
        fs::read(format!("/proc/{pid}/{file}")).is_ok_and(|text| {
            let mut ends = (folder.len()..=text.len()).filter(|end| text[..*end].ends_with(folder));
            // `run-1` is how `run-10` begins.
            ends.any(|end| !text.get(end).is_some_and(u8::is_ascii_digit))
        })
    };
    place("cwd") || named("environ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::Child;

    #[expect(clippy::disallowed_methods, reason = "a process that a program left, and a bystander")]
    fn sleeper(directory: &Path, home: &Path) -> Child {
        let mut command = std::process::Command::new("sleep");
        command.arg("1000").current_dir(directory).env("HOME", home).spawn().unwrap()
    }

    /// SL-PIDREUSE.
    #[test]
    fn what_names_the_folder_of_a_run_is_ended_and_a_bystander_is_not() {
        let base = tempfile::tempdir().unwrap();
        let (folder, other) = (base.path().join("run-1"), base.path().join("other"));
        fs::create_dir(&folder).unwrap();
        fs::create_dir(&other).unwrap();
        let mut left = [sleeper(&folder, &other), sleeper(&other, &folder)];
        let mut bystanders =
            [sleeper(&other, &other), sleeper(&other, &base.path().join("run-10"))];
        // The killed ones stay as zombies of this process, which have neither directory nor environment.
        assert!(end(&folder));
        for child in &mut left {
            assert!(!child.wait().unwrap().success());
        }
        for bystander in &mut bystanders {
            assert!(bystander.try_wait().unwrap().is_none());
            bystander.kill().unwrap();
            bystander.wait().unwrap();
        }
    }
}
