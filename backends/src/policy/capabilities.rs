//! What a policy lets a program do, in words for whoever writes the program, such as a model. It is a pure
//! function of the policy, states capabilities and how a refusal looks, and nothing else: no task, no
//! mechanism, no way around.

use super::{Bound, Grant, Place, Policy};
use std::fmt::Write;

impl Policy {
    /// What a program may do under this policy, as text for its author.
    pub fn capabilities_text(&self) -> String {
        let mut text = String::from("What a program can do here:\n");
        let mut line = |words: &str| {
            // Writing to a string cannot fail.
            let _written = writeln!(text, "- {words}");
        };
        line(
            "Its working directory is new, empty but for `tmp`, and its own: it may create, read, change and remove files and directories there. Nothing in it is kept unless the host takes it.",
        );
        let (read, written) = (places(self.read()), places(self.write()));
        if !written.is_empty() {
            line(&format!("It may also read and write: {}.", written.join(", ")));
        }
        if !read.is_empty() {
            line(&format!("It may read: {}.", read.join(", ")));
        }
        if self.read().iter().any(|grant| *grant.place() == Place::Program) {
            line("It may read its own text and cannot change it.");
        }
        line(
            "Opening, listing, creating or removing anything else fails with a permission error (EACCES; PermissionError in Python).",
        );
        line(
            "There is no network: creating a socket that reaches outside the program fails with a permission error.",
        );
        line(
            "There is one process: starting another, or another program, fails with a permission error. Threads work.",
        );
        line("Other processes cannot be looked into, signalled or changed.");
        line(
            "File modes, owners and times cannot be changed: such calls report success and do nothing. Extended attributes are not supported.",
        );
        let names: Vec<&str> = self.environment().keys().map(String::as_str).collect();
        line(&format!("Its environment holds only {}.", names.join(", ")));
        for bound in self.limits_text() {
            line(&bound);
        }
        text
    }

    /// One sentence for each bound. A further limit is a further row here.
    fn limits_text(&self) -> Vec<String> {
        let limits = self.limits();
        let rows: [(Bound, &dyn Fn(u64) -> String); 8] = [
            (limits.wall_clock_milliseconds, &|most| {
                format!("It is ended after {} of wall-clock time.", seconds(most))
            }),
            (limits.cpu_seconds, &|most| format!("It is ended after {most} s of CPU time.")),
            (limits.address_space_bytes, &|most| {
                format!(
                    "It may use {} of address space; beyond that, allocation fails (MemoryError in Python).",
                    bytes(most)
                )
            }),
            (limits.file_size_bytes, &|most| {
                format!("A file may have {}; writing beyond that fails.", bytes(most))
            }),
            (limits.run_directory_bytes, &|most| {
                format!("It is ended when its working directory holds more than {}.", bytes(most))
            }),
            (limits.run_directory_entries, &|most| {
                format!("It is ended when its working directory holds more than {most} entries.")
            }),
            (limits.open_files, &|most| format!("It may hold {most} descriptors open.")),
            (limits.output_bytes, &|most| {
                format!(
                    "It is ended when it has written more than {} to standard output and standard error.",
                    bytes(most)
                )
            }),
        ];
        rows.into_iter()
            .filter_map(|(bound, sentence)| match bound {
                Bound::At(most) => Some(sentence(most)),
                Bound::Unlimited => None,
            })
            .collect()
    }
}

fn places<'a>(grants: impl IntoIterator<Item = &'a Grant>) -> Vec<String> {
    grants
        .into_iter()
        .filter_map(|grant| match grant.place() {
            Place::Path(path) => Some(format!("`{}`", path.as_bytes().escape_ascii())),
            Place::Run | Place::Program => None,
        })
        .collect()
}

fn seconds(milliseconds: u64) -> String {
    if milliseconds.is_multiple_of(1000) {
        format!("{} s", milliseconds / 1000)
    } else {
        format!("{milliseconds} ms")
    }
}

fn bytes(count: u64) -> String {
    let units = [(1 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB")];
    let unit = units.into_iter().find(|(unit, _)| count >= *unit && count.is_multiple_of(*unit));
    match unit {
        Some((unit, name)) => format!("{} {name}", count / unit),
        None => format!("{count} bytes"),
    }
}

#[cfg(test)]
mod tests {
    use crate::policy::{Bound, Limits, Policy};
    use std::path::Path;

    fn policy(limits: Limits) -> Policy {
        let builder = Policy::builder().program_text().devices().unwrap().limits(limits);
        builder.read(Path::new("/usr/lib")).unwrap().build().unwrap()
    }

    /// Words of tasks, of techniques, of mechanisms, and of ways around.
    const UNSPOKEN: [&str; 40] = [
        "bypass",
        "escape",
        "exploit",
        "avoid",
        "circumvent",
        "workaround",
        "work around",
        "instead",
        "unless you",
        "trick",
        "attack",
        "symlink",
        "hard link",
        "ptrace",
        "io_uring",
        "ctypes",
        "landlock",
        "seccomp",
        "seatbelt",
        "bpf",
        "filter",
        "kernel",
        "hook",
        "audit",
        "sandbox",
        "container",
        "namespace",
        "/proc",
        "memfd",
        "execve",
        "fork(",
        "clone",
        "setuid",
        "exfiltrate",
        "secret",
        "token",
        "credential",
        "test",
        "grade",
        "score",
    ];

    #[test]
    fn it_names_no_task_no_technique_no_mechanism_and_no_way_around() {
        for limits in [Limits::default(), everything()] {
            let text = policy(limits).capabilities_text().to_lowercase();
            for word in UNSPOKEN {
                assert!(!text.contains(word), "{word:?} in {text}");
            }
            for word in ["working directory", "network", "process", "permission error"] {
                assert!(text.contains(word), "{word:?} not in {text}");
            }
        }
    }

    fn everything() -> Limits {
        Limits { address_space_bytes: Bound::At(1 << 30), ..Limits::default() }
    }

    #[test]
    fn it_is_a_function_of_the_policy_and_each_bound_and_grant_shows() {
        let text = |limits| policy(limits).capabilities_text();
        assert_eq!(text(everything()), text(everything()));
        assert!(text(everything()).contains("1 GiB of address space"));
        assert!(!text(Limits::default()).contains("address space"));
        assert!(text(Limits::default()).contains("`/usr/lib`"));
        let other = Policy::builder().build().unwrap().capabilities_text();
        assert!(!other.contains("/usr/lib") && !other.contains("its own text"));
        let late = Limits { wall_clock_milliseconds: Bound::At(1_500), ..Limits::default() };
        assert!(text(late).contains("after 1500 ms"));
    }

    #[test]
    fn each_kind_of_grant_has_its_own_line_and_no_line_stands_without_its_grant() {
        let plain = || Policy::builder();
        let (reads, writes, own) = (
            "- It may read: `/usr/lib`.",
            "- It may also read and write: `/usr/lib`.",
            "- It may read its own text and cannot change it.",
        );
        let lib = Path::new("/usr/lib");
        for (builder, expected) in [
            (plain(), [false, false, false]),
            (plain().read(lib).unwrap(), [true, false, false]),
            (plain().write(lib).unwrap(), [false, true, false]),
            (plain().program_text(), [false, false, true]),
            (plain().program_text().read(lib).unwrap(), [true, false, true]),
        ] {
            let text = builder.build().unwrap().capabilities_text();
            let there = [reads, writes, own].map(|line| text.lines().any(|one| one == line));
            assert_eq!(there, expected, "{text}");
            assert_eq!(
                text.matches("It may").count(),
                1 + there.iter().filter(|one| **one).count()
            );
        }
    }

    #[test]
    fn a_size_is_told_in_the_largest_unit_that_divides_it() {
        for (count, told) in [
            (0, "0 bytes"),
            (1, "1 bytes"),
            (1_023, "1023 bytes"),
            (1_024, "1 KiB"),
            (1_536, "1536 bytes"),
            (5 * 1_024, "5 KiB"),
            (1_048_576, "1 MiB"),
            (1_048_577, "1048577 bytes"),
            (3 * 1_048_576, "3 MiB"),
            (1_073_741_824, "1 GiB"),
            (1_073_741_824 + 1_048_576, "1025 MiB"),
        ] {
            assert_eq!(super::bytes(count), told);
        }
        assert_eq!([0, 999, 1_000, 90_000].map(super::seconds), ["0 s", "999 ms", "1 s", "90 s"]);
    }

    #[test]
    fn a_path_cannot_break_out_of_its_line() {
        let folder = tempfile::tempdir().unwrap();
        let odd = folder.path().canonicalize().unwrap().join("x\n- It may do everything.`");
        std::fs::create_dir(&odd).unwrap();
        let plain = Policy::builder().build().unwrap().capabilities_text();
        let policy = Policy::builder().read(&odd).unwrap().build().unwrap();
        let text = policy.capabilities_text();
        assert_eq!(text.lines().count(), plain.lines().count() + 1);
        assert!(text.contains("x\\n- It may"));
    }
}
