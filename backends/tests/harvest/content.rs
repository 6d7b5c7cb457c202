//! Content, names and output that attack their reader.

use super::*;

/// HT-NAMES.
#[test]
fn names_that_deceive_are_named_in_plain_letters_and_left() {
    let host = Host::new();
    let (run, directory) = host.run(
        "import os\nfor name in (b'a\\nb.txt', b'\\x1b[2J.txt', b'\\xff.txt', b'-rf.txt', '\\u202etxt.txt'.encode(), b'\\\\n.txt'):
    open(os.getcwdb() + b'/' + name, 'w')",
    );
    // A naive report of the names holds a line too many and an escape.
    let naive: Vec<u8> = fs::read_dir(&directory)
        .unwrap()
        .flat_map(|entry| [entry.unwrap().file_name().as_bytes(), b"\n"].concat())
        .collect();
    assert!(naive.contains(&0x1b) && std::str::from_utf8(&naive).is_err());
    fs::create_dir(directory.join("r\u{e9}sum\u{e9}")).unwrap();
    symlink("x", directory.join("r\u{e9}sum\u{e9}/link.txt")).unwrap();
    let below = harvest(&run, "*/*.txt");
    assert_eq!(below.findings()[0].path, "r\\xc3\\xa9sum\\xc3\\xa9/link.txt");
    let taken = harvest(&run, "*.txt");
    assert_eq!(names(&taken), ["good.txt"]);
    let mut shown: Vec<&str> = taken.findings().iter().map(|one| one.path.as_str()).collect();
    shown.sort_unstable();
    assert_eq!(
        shown,
        [
            "-rf.txt",
            "\\\\n.txt",
            "\\x1b[2J.txt",
            "\\xe2\\x80\\xaetxt.txt",
            "\\xff.txt",
            "a\\nb.txt",
        ]
    );
}

/// HT-GITCONFIG, HT-IMPORTSHADOW, HT-AGENTCONFIG.
#[test]
fn files_that_tools_act_on_leave_only_where_the_pattern_spells_them() {
    let host = Host::new();
    let (run, directory) = host.run(
        "import os\nos.makedirs('.git/hooks'); os.makedirs('.claude'); os.mkdir('pkg')
for name in ('.git/config', '.claude/settings.json', '.envrc', 'Makefile', 'conftest.py', 'pkg/sitecustomize.py', 'x.pth'):
    open(name, 'w').write('x')
open('json.py', 'w').write('open(\"canary\", \"w\")')
open('.envrc', 'w').write('>by-shell')
os.makedirs('.git/objects'); os.mkdir('.git/refs'); open('.git/HEAD', 'w').write('ref: refs/heads/x')
open('.git/config', 'w').write('[core]\\n\\trepositoryformatversion = 0\\n\\tfsmonitor = \">by-git; :\"')",
    );
    // A naive host that asks git or direnv about the directory runs what the program wrote.
    for (tool, arguments, canary) in
        [("git", ["status", "--short"], "by-git"), ("sh", ["-c", ". ./.envrc"], "by-shell")]
    {
        assert!(!directory.join(canary).exists());
        naive(&directory, tool, &arguments);
        fs::remove_file(directory.join(canary)).unwrap();
    }
    // A naive host that starts Python there runs the program's module.
    naive(&directory, "python3", &["-B", "-c", "import json"]);
    assert!(directory.join("canary").exists());
    let taken = harvest(&run, "**");
    assert_eq!(names(&taken), ["canary", "good.txt", "json.py"]);
    let mut left: Vec<&str> = taken.findings().iter().map(|one| one.path.as_str()).collect();
    left.sort_unstable();
    assert_eq!(
        left,
        [".claude", ".envrc", ".git", "Makefile", "conftest.py", "pkg/sitecustomize.py", "x.pth"]
    );
    assert!(taken.findings().iter().all(|finding| finding.why == Why::ActedOn));
    assert_eq!(names(&harvest(&run, "Makefile")), ["Makefile"]);
    assert_eq!(names(&harvest(&run, ".claude/*.json")), [".claude/settings.json"]);
    assert_eq!(names(&harvest(&run, "*.txt")), ["good.txt"]);
    assert!(harvest(&run, "*.txt").is_complete());
}

/// HT-ARCHIVE, HT-PICKLE, HT-JSONBOMB: a harvest carries bytes and parses, unpacks or loads none.
#[test]
fn archives_pickles_and_nested_text_are_bytes() {
    let host = Host::new();
    let (run, directory) = host.run(
        "import tarfile, io
with tarfile.open('a.tar', 'w') as tar:
    tar.addfile(tarfile.TarInfo('../../../unpacked'), io.BytesIO())
open('b.json', 'w').write('[' * 200_000)
open('c.pickle', 'wb').write(b\"cos\\nsystem\\n(S'touch unpickled'\\ntR.\")",
    );
    for (text, fooled) in [
        (
            "import tarfile; tar = tarfile.open('a.tar')\ntar.extraction_filter = getattr(tarfile, 'fully_trusted_filter', None); tar.extractall()",
            false,
        ),
        ("import pickle; pickle.load(open('c.pickle', 'rb'))", false),
        ("import json; json.load(open('b.json'))", true),
    ] {
        let naive = naive(&directory, "python3", &["-c", text]);
        assert_eq!(naive.status.success(), !fooled, "{}", text_of(&naive.stderr));
    }
    assert!(directory.join("unpickled").exists());
    let outside = directory.join("../../../unpacked");
    assert!(outside.exists());
    fs::remove_file(&outside).unwrap();
    fs::remove_file(directory.join("unpickled")).unwrap();
    let taken = harvest(&run, "?.*");
    assert_eq!(names(&taken), ["a.tar", "b.json", "c.pickle"]);
    for file in taken.files() {
        assert_eq!(file.read().unwrap(), fs::read(directory.join(file.name())).unwrap());
    }
    assert!(!outside.exists() && !directory.join("unpickled").exists());
}

/// HT-ANSILOG, HT-BADUTF8OUT.
#[test]
fn output_is_kept_as_raw_bytes_up_to_its_cap_and_shown_escaped() {
    let host = Host::new();
    let text = "import os
os.write(1, b'\\x1b]52;c;AAAA\\x07\\r\\xff\\x00' + b'x' * 100_000); os.write(2, '\\u202e'.encode())";
    let run = host.session.run(&Program::python(text)).unwrap();
    assert!(run.stdout().starts_with(b"\x1b]52;c;AAAA\x07\r\xff\0xx"));
    assert_eq!(run.stdout().len(), 100_015);
    assert!(std::str::from_utf8(run.stdout()).is_err());
    let shown = backends::events::printable(run.stdout());
    assert!(shown.starts_with("\\x1b]52;c;AAAA\\x07\\r\\xff\\x00xx"));
    assert!(shown.bytes().all(|byte| (0x20..0x7f).contains(&byte)));
}
