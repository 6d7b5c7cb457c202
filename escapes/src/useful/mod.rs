//! Useful work: honest programs that must run unharmed under the S1 policy.
//! Native work stands in one file a topic, Python work as a text each, programs of the host in a table.

use harness::stage::Part;
use harness::useful::{UsefulWork, Work};

/// Native work, which leaves its proof when it is done.
macro_rules! native {
    ($work:path) => {
        harness::useful::Work::Native(|scene, _arguments| harness::useful::perform(scene, $work))
    };
}

/// Declares the files. Each holds `WORKS`.
macro_rules! works {
    ($($file:ident),* $(,)?) => {
        $(mod $file;)*
        const WORKS: &[&[UsefulWork]] = &[$($file::WORKS),*];
    };
}

#[cfg(target_os = "linux")]
works! {
    threads, files, paths, modes, touch, waiting, signals, interrupts, own_process, own_questions, refusals, fallbacks,
    output, python, programs, tools, shell, git
}
#[cfg(target_os = "macos")]
works! { threads, modes, output, python }

/// All useful work, in the order of the list.
pub fn all() -> Vec<&'static UsefulWork> {
    WORKS.iter().copied().flatten().collect()
}

/// The native work, as the stage plays it.
pub fn parts() -> Vec<(&'static str, Part)> {
    let part = |work: &'static UsefulWork| match work.work {
        Work::Native(part) => Some((work.id, part)),
        Work::Python(_) | Work::Program(_) => None,
    };
    all().into_iter().filter_map(part).collect()
}

/// The error of work whose calls succeeded with a wrong result.
fn wrong(what: &'static str) -> std::io::Error {
    std::io::Error::other(what)
}

/// Whether `condition` holds; otherwise the work went wrong.
fn expect(condition: bool, what: &'static str) -> std::io::Result<()> {
    if condition { Ok(()) } else { Err(wrong(what)) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use harness::useful::Program;
    use std::collections::BTreeSet;

    #[test]
    fn every_work_has_a_name_of_its_own_and_a_summary_without_a_full_stop() {
        let ids: BTreeSet<_> = all().iter().map(|work| work.id).collect();
        assert_eq!(ids.len(), all().len());
        for work in all() {
            assert!(work.id.starts_with("useful/"), "{}", work.id);
            assert!(!work.summary.is_empty() && !work.summary.ends_with('.'), "{}", work.id);
        }
    }

    #[test]
    fn every_python_text_is_listed_and_defines_its_work() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/src/useful/python");
        let texts: BTreeSet<_> = std::fs::read_dir(folder)
            .unwrap()
            .map(|entry| std::fs::read_to_string(entry.unwrap().path()).unwrap())
            .collect();
        let listed: BTreeSet<_> = all()
            .iter()
            .filter_map(|work| match work.work {
                Work::Python(text) => Some(text.to_owned()),
                Work::Native(_) | Work::Program(_) => None,
            })
            .collect();
        assert_eq!(texts, listed);
        assert!(listed.iter().all(|text| text.contains("\ndef work(scene):\n")));
    }

    #[test]
    fn native_work_is_a_part_of_the_stage_and_nothing_else_is() {
        let parts: BTreeSet<_> = parts().into_iter().map(|(id, _)| id).collect();
        assert!(parts.contains("useful/threads"));
        assert!(!parts.contains("useful/python-asyncio"));
        assert!(!parts.contains("useful/program-true"));
    }

    #[test]
    fn a_check_refuses_a_run_in_which_the_work_was_not_done() {
        let checked = all().into_iter().filter(|work| work.id != "useful/program-true");
        for (work, check) in checked.filter_map(|work| Some((work, work.check?))) {
            let folder = tempfile::tempdir().unwrap();
            if let Work::Program(Program { prepare: Some(prepare), .. }) = work.work {
                prepare(folder.path()).unwrap();
            }
            assert!(check(folder.path(), b"").is_err(), "{}", work.id);
        }
    }
}
