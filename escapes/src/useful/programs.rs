//! Programs of the host that were written without a thought of a sandbox, and static images.

mod image;
mod threads;
mod ustar;

use harness::escape::Need;
use harness::useful::{Program, UsefulWork, Work};
use reports::record::Finish;
use std::fs;
use std::io;
use std::os::unix::fs::{MetadataExt, symlink};
use std::path::Path;

/// A program that must end with 0.
pub(super) const fn program(
    path: &'static str,
    arguments: &'static [&'static str],
    prepare: fn(&Path) -> io::Result<()>,
) -> Work {
    Work::Program(Program { path, arguments, prepare: Some(prepare), ..Program::BLANK })
}

pub(super) const WORKS: &[UsefulWork] = &[
    UsefulWork {
        id: "useful/program-true",
        summary: "true ends with 0",
        work: Work::Program(Program { path: "/bin/true", ..Program::BLANK }),
        check: Some(|_run, stdout| said(stdout, "")),
        ..UsefulWork::BLANK
    },
    UsefulWork {
        id: "useful/program-cat",
        summary: "cat prints an own file, by its name and by its absolute path",
        work: program("/bin/cat", &["words", "{run}/words"], words),
        check: Some(|_run, stdout| said(stdout, "pear\napple\nfig\npear\napple\nfig\n")),
        ..UsefulWork::BLANK
    },
    UsefulWork {
        id: "useful/program-sort",
        summary: "sort sorts a hundred thousand lines into a file, with threads and temporary files",
        work: program("/usr/bin/sort", &["-n", "-S", "64K", "-o", "sorted", "numbers"], numbers),
        check: Some(check_sorted),
        ..UsefulWork::BLANK
    },
    UsefulWork {
        id: "useful/program-tar",
        summary: "tar unpacks an archive with its modes and times",
        work: program("/bin/tar", &["-xpf", "{run}/archive.tar", "-C", "{run}"], archive),
        check: Some(|run, _stdout| {
            holds(run, "unpacked/tool", "#!/bin/sh\n")?;
            holds(run, "unpacked/deep/text", "text\n")
        }),
        ..UsefulWork::BLANK
    },
    UsefulWork {
        id: "useful/program-cp",
        summary: "cp -a copies a tree with its links, modes and times",
        work: program("/bin/cp", &["-a", "tree", "{run}/copy"], tree),
        check: Some(check_copy),
        ..UsefulWork::BLANK
    },
    UsefulWork {
        id: "useful/program-rm",
        summary: "rm -r removes a tree",
        work: program("/bin/rm", &["-r", "{run}/tree"], tree),
        check: Some(|run, _stdout| {
            if run.join("tree").exists() { Err("the tree is still there".into()) } else { Ok(()) }
        }),
        ..UsefulWork::BLANK
    },
    UsefulWork {
        id: "useful/program-ls",
        summary: "ls -l shows an own tree, though it may not ask for attributes and users",
        work: program("/bin/ls", &["-lR", "tree"], tree),
        check: Some(|_run, stdout| {
            let text = String::from_utf8_lossy(stdout);
            match ["link -> deep/text", "linked", "tool"].iter().find(|name| !text.contains(*name))
            {
                None => Ok(()),
                Some(name) => Err(format!("{name} is not in the list")),
            }
        }),
        ..UsefulWork::BLANK
    },
    UsefulWork {
        id: "useful/program-sed",
        summary: "sed -i changes an own file in its place",
        work: program("/bin/sed", &["-i", "s/apple/plum/", "words"], words),
        check: Some(|run, _stdout| holds(run, "words", "pear\nplum\nfig\n")),
        ..UsefulWork::BLANK
    },
    UsefulWork {
        id: "useful/program-sha256sum",
        summary: "sha256sum checks an own file",
        work: program("/usr/bin/sha256sum", &["words"], words),
        check: Some(|_run, stdout| said(stdout, WORDS_DIGEST)),
        ..UsefulWork::BLANK
    },
    UsefulWork {
        id: "useful/program-awk",
        summary: "awk adds up the numbers of an own file",
        work: program(
            "/usr/bin/awk",
            &["{ s += $1 } END { printf \"%.0f\\n\", s }", "numbers"],
            numbers,
        ),
        check: Some(|_run, stdout| said(stdout, "4999950000\n")),
        ..UsefulWork::BLANK
    },
    UsefulWork {
        id: "useful/program-gzip",
        summary: "gzip packs an own file and keeps it",
        work: program("/bin/gzip", &["-k", "numbers"], numbers),
        check: Some(check_packed),
        ..UsefulWork::BLANK
    },
    UsefulWork {
        id: "useful/program-bash",
        summary: "bash runs a script of builtins, with files and a code of its own at the end",
        work: Work::Program(Program {
            path: "/bin/bash",
            arguments: &["-c", SCRIPT],
            prepare: Some(words),
            end: Finish::Exited(7),
            ..Program::BLANK
        }),
        check: Some(|run, stdout| {
            said(stdout, "sum 500500\nread pear\nread apple\nread fig\nlast 3\n")?;
            holds(run, "by-bash", "pear\napple\nfig\n")
        }),
        ..UsefulWork::BLANK
    },
    UsefulWork {
        id: "useful/program-static",
        summary: "A static image without libraries or loader starts, speaks and ends with 42",
        also_needs: &[Need::Linux, Need::Architecture("x86_64")],
        work: Work::Program(Program {
            path: "{run}/image",
            prepare: Some(|run| image::write(&run.join("image"))),
            end: Finish::Exited(image::CODE),
            ..Program::BLANK
        }),
        check: Some(|_run, stdout| said(stdout, image::WORDS)),
        ..UsefulWork::BLANK
    },
    UsefulWork {
        id: "useful/program-static-threads",
        summary: "A static image makes threads by its own clone, as Go does, and waits for them",
        also_needs: &[Need::Linux, Need::Architecture("x86_64")],
        work: Work::Program(Program {
            path: "{run}/image",
            prepare: Some(|run| threads::write(&run.join("image"))),
            end: Finish::Exited(threads::CODE),
            ..Program::BLANK
        }),
        check: Some(|_run, stdout| said(stdout, threads::WORDS)),
        ..UsefulWork::BLANK
    },
];

/// Loops, arithmetic, redirections, arrays, traps and `/dev/null`, without a second process.
const SCRIPT: &str = "
set -eu
trap 'exit 7' EXIT
sum=0
for ((i = 1; i <= 1000; i++)); do sum=$((sum + i)); done
echo sum $sum
words=()
while read -r word; do words+=(\"$word\"); echo read $word; done < words
printf '%s\\n' \"${words[@]}\" > by-bash
echo swallowed > /dev/null
[[ -f by-bash && ! -e absent ]]
printf 'last %d\\n' ${#words[@]}
";

const WORDS: &str = "pear\napple\nfig\n";
const WORDS_DIGEST: &str =
    "d7b8370b133ffebfa89e67453a41c3c1bf366d9a0f2cf9263caafc41359dc9a6  words\n";
const NUMBERS: u64 = 100_000;

pub(super) fn words(run: &Path) -> io::Result<()> {
    fs::write(run.join("words"), WORDS)
}

/// Every number below [`NUMBERS`] once, out of order.
pub(super) fn numbers(run: &Path) -> io::Result<()> {
    let text: String =
        (0..NUMBERS).map(|number| format!("{}\n", number * 7_919 % NUMBERS)).collect();
    fs::write(run.join("numbers"), text)
}

fn archive(run: &Path) -> io::Result<()> {
    let members = [
        ustar::Member { name: "unpacked/", mode: 0o755, content: None },
        ustar::Member { name: "unpacked/tool", mode: 0o755, content: Some("#!/bin/sh\n") },
        ustar::Member { name: "unpacked/deep/", mode: 0o700, content: None },
        ustar::Member { name: "unpacked/deep/text", mode: 0o640, content: Some("text\n") },
    ];
    fs::write(run.join("archive.tar"), ustar::archive(&members))
}

pub(super) fn tree(run: &Path) -> io::Result<()> {
    let tree = run.join("tree");
    fs::create_dir_all(tree.join("deep"))?;
    fs::write(tree.join("deep/text"), "text\n")?;
    fs::write(tree.join("tool"), "#!/bin/sh\n")?;
    fs::hard_link(tree.join("tool"), tree.join("linked"))?;
    symlink("deep/text", tree.join("link"))
}

pub(super) fn said(stdout: &[u8], expected: &str) -> Result<(), String> {
    if stdout == expected.as_bytes() {
        Ok(())
    } else {
        Err(format!("it said {:?} instead of {expected:?}", String::from_utf8_lossy(stdout)))
    }
}

pub(super) fn holds(run: &Path, name: &str, expected: &str) -> Result<(), String> {
    match fs::read_to_string(run.join(name)) {
        Ok(text) if text == expected => Ok(()),
        other => Err(format!("{name}: {other:?} instead of {expected:?}")),
    }
}

fn check_sorted(run: &Path, _stdout: &[u8]) -> Result<(), String> {
    let sorted: String = (0..NUMBERS).map(|number| format!("{number}\n")).collect();
    match fs::read_to_string(run.join("sorted")) {
        Ok(text) if text == sorted => Ok(()),
        Ok(_) => Err("the lines are not sorted".into()),
        Err(error) => Err(format!("sorted: {error}")),
    }
}

fn check_copy(run: &Path, _stdout: &[u8]) -> Result<(), String> {
    holds(run, "copy/deep/text", "text\n")?;
    holds(run, "copy/linked", "#!/bin/sh\n")?;
    let number = |name| fs::metadata(run.join(name)).map(|metadata| metadata.ino()).ok();
    let target = fs::read_link(run.join("copy/link")).ok();
    if target.as_deref() != Some(Path::new("deep/text")) {
        return Err(format!("copy/link leads to {target:?}"));
    }
    if number("copy/tool") == number("copy/linked") {
        Ok(())
    } else {
        Err("a link became a file".into())
    }
}

fn check_packed(run: &Path, _stdout: &[u8]) -> Result<(), String> {
    let packed =
        fs::read(run.join("numbers.gz")).map_err(|error| format!("numbers.gz: {error}"))?;
    let (original, magic) = (fs::metadata(run.join("numbers")), packed.starts_with(&[0x1f, 0x8b]));
    if original.is_ok() && magic { Ok(()) } else { Err("numbers is gone or not packed".into()) }
}
