//! A child whose parent is gone or was copied, and the keys of launches.

use super::*;
use crate::child::Exit;
use crate::command::Input;
use crate::policy::Limits;
use crate::sys::in_a_copy;
use std::collections::BTreeSet;

/// What comes of a child that takes `parent` for its parent and has nothing else to do than to ask who it is.
fn child_of(parent: i32) -> Result<isize, LaunchError> {
    let folder = tempfile::tempdir().unwrap();
    let directory = open_directory(folder.path()).unwrap();
    let (inner, _parts) = pipes(Input::Empty).unwrap();
    let (number, answer) = (libc::SYS_getppid, AtomicIsize::new(0));
    let probes = [Probe { number, arguments: [0; 6], answer }];
    let plan = ChildPlan { parent, ..ChildPlan::bare() };
    let descriptors: Vec<RawFd> =
        inner.iter().chain([&directory]).map(AsRawFd::as_raw_fd).collect();
    let order = Order {
        descriptors: descriptors.len(),
        has_ruleset: false,
        root_is_denied: false,
        open_files: None,
        probes: &probes,
        arguments: std::ptr::null(),
        environment: std::ptr::null(),
    };
    let child = begin(plan)?.follow(&order, &descriptors, Instant::now() + START).unwrap().unwrap();
    let (shared, path) = (&child.plan.shared, folder.path());
    failure::check(shared, child.pid, path, |_place| unreachable!("there is no view"))?;
    kernel::reap(child.pid).unwrap();
    Ok(probes[0].answer.load(Ordering::SeqCst))
}

/// The kernel kills a child with its parent only if the parent dies after it was told to. A child that was an orphan
/// before that would outlive its launcher.
#[test]
fn a_child_whose_parent_was_gone_before_it_could_die_with_it_runs_nothing() {
    let own = std::process::id().cast_signed();
    assert_eq!(child_of(own).unwrap(), own as isize);
    match child_of(1) {
        Err(LaunchError::Resource { call, source }) => {
            assert_eq!(call, "prctl(PR_SET_PDEATHSIG)");
            assert_eq!(source.raw_os_error(), Some(libc::ESRCH));
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_copy_of_a_launcher_that_drops_its_copy_of_a_child_ends_no_program() {
    let folder = tempfile::tempdir().unwrap();
    let prepared = Prepared::new(Enforcement::bare(Limits::default())).unwrap();
    let launched = || {
        let mut command = Command::new("/bin/cat", folder.path());
        command.input = Input::Fed;
        prepared.launch(command).unwrap()
    };
    let child = std::cell::Cell::new(Some(launched()));
    assert!(in_a_copy(|| {
        drop(child.take());
        true
    }));
    let mut child = child.take().unwrap();
    child.feed(b"there");
    child.close_input();
    let completed = child.wait().unwrap();
    assert_eq!((completed.ended.exit, completed.output), (Exit::Code(0), b"there".to_vec()));
    // The launcher itself ends it.
    let child = launched();
    let pid = nix::unistd::Pid::from_raw(child.id().cast_signed());
    drop(child);
    assert_eq!(nix::sys::signal::kill(pid, None), Err(nix::errno::Errno::ESRCH));
}

/// Who executes again guesses the whole of a key, or none of it: neither half tells the other.
#[test]
fn both_halves_of_a_key_are_new_for_each_launch_and_tell_nothing_of_each_other() {
    const KEYS: usize = 256;
    let keys: Vec<(u32, u32)> = std::iter::repeat_with(|| fresh_key().unwrap())
        .map(|key| (key.first, key.second.get()))
        .take(KEYS)
        .collect();
    let halves = |of: fn(&(u32, u32)) -> u32| keys.iter().map(of).collect::<Vec<u32>>();
    for numbers in [halves(|key| key.0), halves(|key| key.1), halves(|key| key.0 ^ key.1)] {
        // Of random ones two are the same once in 130,000 times.
        let different: BTreeSet<&u32> = numbers.iter().collect();
        assert!(different.len() > KEYS - 4, "{} of {KEYS} are different", different.len());
        for bit in 0..u32::BITS {
            // Random ones are beyond these bounds once in more than 10^30 times.
            let ones = numbers.iter().filter(|number| *number & (1 << bit) != 0).count();
            assert!((KEYS / 8..KEYS * 7 / 8).contains(&ones), "bit {bit}: {ones} of {KEYS}");
        }
    }
}
