//! More programs of the host: those that search, compare and pack, an interpreter for each of several
//! languages, a script by its first line, and a static program that links the whole C library.

use super::programs::{holds, numbers, program, said, tree, words};
use harness::escape::Need;
use harness::useful::{Program, UsefulWork, Work};
use reports::record::Finish;
use std::fs::{self, Permissions};
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

pub(super) const WORKS: &[UsefulWork] = &[
    UsefulWork {
        id: "useful/program-find",
        summary: "find walks an own tree, though it may not list what lies above",
        work: program("/usr/bin/find", &["tree", "-type", "f", "-name", "text"], tree),
        check: Some(|_run, stdout| said(stdout, "tree/deep/text\n")),
        ..UsefulWork::BLANK
    },
    UsefulWork {
        id: "useful/program-grep",
        summary: "grep searches an own tree",
        work: program("/bin/grep", &["-rn", "text", "tree/deep"], tree),
        check: Some(|_run, stdout| said(stdout, "tree/deep/text:1:text\n")),
        ..UsefulWork::BLANK
    },
    UsefulWork {
        id: "useful/program-diff",
        summary: "diff shows where two own files differ, and ends with 1",
        work: Work::Program(Program {
            path: "/usr/bin/diff",
            arguments: &["words", "{run}/others"],
            prepare: Some(|run| {
                words(run)?;
                fs::write(run.join("others"), "pear\nplum\nfig\n")
            }),
            end: Finish::Exited(1),
            ..Program::BLANK
        }),
        check: Some(|_run, stdout| said(stdout, "2c2\n< apple\n---\n> plum\n")),
        ..UsefulWork::BLANK
    },
    UsefulWork {
        id: "useful/program-mv",
        summary: "mv moves an own file into another own directory",
        work: program("/bin/mv", &["tree/tool", "{run}/tree/deep/tool"], tree),
        check: Some(|run, _stdout| holds(run, "tree/deep/tool", "#!/bin/sh\n")),
        ..UsefulWork::BLANK
    },
    UsefulWork {
        id: "useful/program-mktemp",
        summary: "mktemp makes a directory with a name of its own",
        work: Work::Program(Program {
            path: "/bin/mktemp",
            arguments: &["-d", "{run}/made.XXXXXXXX"],
            ..Program::BLANK
        }),
        check: Some(check_temporary),
        ..UsefulWork::BLANK
    },
    UsefulWork {
        id: "useful/program-dd",
        summary: "dd copies zeros into an own file and puts them on disk",
        work: program(
            "/bin/dd",
            &["if=/dev/zero", "of=zeros", "bs=64k", "count=16", "conv=fsync", "status=none"],
            |_run| Ok(()),
        ),
        check: Some(|run, _stdout| match fs::read(run.join("zeros")) {
            Ok(bytes) if bytes == vec![0; 16 << 16] => Ok(()),
            other => Err(format!("zeros: {:?}", other.map(|bytes| bytes.len()))),
        }),
        ..UsefulWork::BLANK
    },
    UsefulWork {
        id: "useful/program-xz",
        summary: "xz, which may put a sandbox of its own on, packs an own file",
        work: program("/usr/bin/xz", &["-k", "-0", "numbers"], numbers),
        check: Some(|run, _stdout| match fs::read(run.join("numbers.xz")) {
            Ok(packed) if packed.starts_with(b"\xfd7zXZ\0") => Ok(()),
            other => Err(format!("numbers.xz: {:?}", other.map(|bytes| bytes.len()))),
        }),
        ..UsefulWork::BLANK
    },
    UsefulWork {
        id: "useful/program-perl",
        summary: "perl reads, sorts and writes own files",
        work: program("/usr/bin/perl", &["-e", PERL], words),
        check: Some(|run, stdout| {
            said(stdout, "3\n")?;
            holds(run, "by-perl", "apple\nfig\npear\n")
        }),
        ..UsefulWork::BLANK
    },
    UsefulWork {
        id: "useful/program-node",
        summary: "Node writes and packs with its threads, waits for a timer and reads back",
        also_needs: &[Need::Image("/usr/bin/node")],
        work: Work::Program(Program {
            path: "/usr/bin/node",
            arguments: &["-e", NODE],
            prepare: Some(words),
            ..Program::BLANK
        }),
        check: Some(|run, stdout| {
            said(stdout, "packed pear\n")?;
            holds(run, "by-node", "pear\napple\nfig\n")
        }),
        ..UsefulWork::BLANK
    },
    UsefulWork {
        id: "useful/program-script",
        summary: "A script is started by its own name through the interpreter of its first line",
        work: Work::Program(Program {
            path: "{run}/script",
            arguments: &["with", "two words"],
            prepare: Some(script),
            ..Program::BLANK
        }),
        also_needs: &[Need::File("/bin/bash")],
        check: Some(|_run, stdout| said(stdout, "2: with, two words\n")),
        ..UsefulWork::BLANK
    },
    UsefulWork {
        id: "useful/program-static-libc",
        summary: "ldconfig, which is static and holds the C library, says its version",
        also_needs: &[Need::Image("/sbin/ldconfig")],
        work: ldconfig("/sbin/ldconfig"),
        check: Some(check_ldconfig),
        ..UsefulWork::BLANK
    },
    UsefulWork {
        id: "useful/program-static-libc-real",
        summary: "The same where a script stands in front of it, as on Ubuntu",
        also_needs: &[Need::Image("/sbin/ldconfig.real")],
        work: ldconfig("/sbin/ldconfig.real"),
        check: Some(check_ldconfig),
        ..UsefulWork::BLANK
    },
];

const fn ldconfig(path: &'static str) -> Work {
    Work::Program(Program { path, arguments: &["--version"], ..Program::BLANK })
}

fn check_ldconfig(_run: &Path, stdout: &[u8]) -> Result<(), String> {
    let text = String::from_utf8_lossy(stdout);
    if text.starts_with("ldconfig") { Ok(()) } else { Err(format!("it said {text:?}")) }
}

const PERL: &str = "open(my $in, '<', 'words') or die; my @words = sort <$in>; close($in); \
    open(my $out, '>', 'by-perl.tmp') or die; print $out @words; close($out) or die; \
    rename('by-perl.tmp', 'by-perl') or die; print scalar(@words), \"\\n\";";

const NODE: &str = "
const { promises: files } = require('fs'), zlib = require('zlib'), { promisify } = require('util');
(async () => {
    const words = await files.readFile('words');
    const packed = await promisify(zlib.gzip)(words);
    await new Promise((done) => setTimeout(done, 1));
    const text = await promisify(zlib.gunzip)(packed);
    await files.writeFile('by-node.tmp', text);
    await files.rename('by-node.tmp', 'by-node');
    console.log('packed ' + String(text).split('\\n')[0]);
})();
";

fn script(run: &Path) -> io::Result<()> {
    let path = run.join("script");
    fs::write(&path, "#!/bin/bash\nprintf '%s: %s, %s\\n' $# \"$@\"\n")?;
    fs::set_permissions(path, Permissions::from_mode(0o755))
}

/// The directory that was named lies in the run directory and is there.
fn check_temporary(run: &Path, stdout: &[u8]) -> Result<(), String> {
    let named = String::from_utf8_lossy(stdout);
    let path = Path::new(named.trim_end());
    match (path.starts_with(run), path.is_dir()) {
        (true, true) => Ok(()),
        (within, there) => Err(format!("{named:?}: in the run directory {within}, there {there}")),
    }
}
