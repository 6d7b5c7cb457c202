//! Traps that a program can leave in its run directory for the host that collects from it. The technique ids
//! (HT-...) are those of `docs/threat-model.md`. In each test a naive host walks into the trap first: that is
//! the control. Where the strict filter lets no program lay the trap, the test lays it, as a program under a
//! weaker sandbox could.

#![expect(clippy::unwrap_used, reason = "a test fails where its setting is broken")]

use backends::executor::{Program, Run};
use backends::harvest::{Harvest, HarvestError, HarvestLimits, Why};
use backends::session::Session;
use rustix::fs::{CWD, Mode};
use std::fs;
use std::io::{Read, Write};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt, PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::Output;

const LAID: &str = "print(__import__('os').getcwd())\n";

struct Host {
    folder: tempfile::TempDir,
    session: Session,
}

impl Host {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let session = Session::builder().base(folder.path().join("base")).build();
        Self { folder, session }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().canonicalize().unwrap().join(name)
    }

    /// Runs a program that says where it is and lays its trap. A good deliverable lies beside it.
    fn run(&self, trap: &str) -> (Run<'_>, PathBuf) {
        let text = format!("{LAID}open('good.txt', 'w').write('good')\n{trap}");
        let run = self.session.run(&Program::python(text)).unwrap();
        let said = String::from_utf8_lossy(run.stdout()).into_owned();
        assert!(run.outcome().is_success(), "{:?} {}", run.outcome(), text_of(run.stderr()));
        let directory = PathBuf::from(said.lines().next().unwrap());
        (run, directory)
    }
}

fn text_of(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn harvest(run: &Run<'_>, pattern: &str) -> Harvest {
    run.harvest(pattern, &HarvestLimits::default()).unwrap()
}

fn names(harvest: &Harvest) -> Vec<&str> {
    harvest.files().iter().map(|file| file.name()).collect()
}

/// The good file alone was taken, and each reason was given once.
fn only_good_but(harvest: &Harvest, reasons: &[(&str, Why)]) {
    assert_eq!(names(harvest), ["good.txt"], "{:?}", harvest.findings());
    assert_eq!(harvest.files()[0].read().unwrap(), b"good");
    let found: Vec<(&str, Why)> = harvest
        .findings()
        .iter()
        .map(|finding| (finding.path.as_str(), finding.why.clone()))
        .collect();
    assert_eq!(found, reasons);
}

/// A naive host's tool, in the run directory.
#[expect(clippy::disallowed_methods, reason = "the naive host of a control")]
fn naive(directory: &Path, program: &str, arguments: &[&str]) -> Output {
    std::process::Command::new(program).args(arguments).current_dir(directory).output().unwrap()
}

/// HT-SYMLINKREAD, HT-SYMLINKDIR.
#[test]
fn a_link_to_a_secret_is_not_read_and_a_linked_directory_not_entered() {
    let host = Host::new();
    fs::create_dir(host.path("host")).unwrap();
    fs::write(host.path("host/secret"), "t0ken").unwrap();
    let (run, directory) = host.run(&format!(
        "import os\nos.symlink({0:?}, 'result.txt'); os.symlink({1:?}, 'sub'); os.mkdir('real')\n\
         open('real/in.txt', 'w').write('good')",
        host.path("host/secret"),
        host.path("host")
    ));
    assert_eq!(fs::read(directory.join("result.txt")).unwrap(), b"t0ken");
    assert_eq!(fs::read(directory.join("sub/secret")).unwrap(), b"t0ken");
    let reasons = [("result.txt", Why::Link), ("sub", Why::Link)];
    let taken = harvest(&run, "**");
    assert_eq!(names(&taken), ["good.txt", "real/in.txt"]);
    let found: Vec<(&str, Why)> =
        taken.findings().iter().map(|one| (one.path.as_str(), one.why.clone())).collect();
    assert_eq!(found, reasons);
    only_good_but(&harvest(&run, "*.txt"), &[("result.txt", Why::Link)]);
    assert!(harvest(&run, "sub/secret").files().is_empty());
    for file in taken.files() {
        assert!(!text_of(&file.read().unwrap()).contains("t0ken"));
    }
}

/// HT-SYMLINKDIR, as a race: a directory is replaced by a link between the host's look and its open. No
/// process of a run lives when its files are taken, so the test replaces it itself, all the time.
#[test]
fn a_directory_that_is_replaced_by_a_link_while_it_is_walked_leads_nowhere() {
    let host = Host::new();
    fs::create_dir_all(host.path("host")).unwrap();
    fs::write(host.path("host/x.txt"), "t0ken").unwrap();
    let (run, directory) =
        host.run("import os\nos.mkdir('sub'); open('sub/x.txt', 'w').write('own')");
    let (sub, link) = (directory.join("sub"), directory.join("link"));
    symlink(host.path("host"), &link).unwrap();
    let swap = || {
        let swap = rustix::fs::RenameFlags::EXCHANGE;
        rustix::fs::renameat_with(CWD, &sub, CWD, &link, swap).unwrap();
    };
    // The naive host looks, and then opens by name.
    assert!(fs::symlink_metadata(&sub).unwrap().is_dir());
    swap();
    assert_eq!(fs::read(sub.join("x.txt")).unwrap(), b"t0ken");
    let done = std::sync::atomic::AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !done.load(std::sync::atomic::Ordering::SeqCst) {
                swap();
            }
        });
        for _ in 0..300 {
            for file in harvest(&run, "sub/*.txt").files() {
                assert_eq!(file.read().unwrap(), b"own");
            }
        }
        done.store(true, std::sync::atomic::Ordering::SeqCst);
    });
}

/// HT-SYMLINKWRITE.
#[test]
fn what_the_host_writes_never_goes_through_a_link_that_a_program_left() {
    let host = Host::new();
    fs::write(host.path("victim"), "victim").unwrap();
    let (run, directory) = host.run(&format!(
        "import os\nos.symlink({0:?}, 'run.log'); os.symlink({0:?}, 'tmp/x'); os.symlink({0:?}, '0')",
        host.path("victim")
    ));
    // The host keeps what it writes of a run beside the run directory, where no program can leave a link.
    harvest(&run, "*.txt");
    assert_eq!(fs::read(host.path("victim")).unwrap(), b"victim");
    // And saves through none that stands at the destination, nor over a file.
    let into = host.path("deliverables");
    fs::create_dir(&into).unwrap();
    symlink(host.path("victim"), into.join("good.txt")).unwrap();
    assert!(harvest(&run, "*.txt").save(&into).is_err());
    fs::remove_file(into.join("good.txt")).unwrap();
    harvest(&run, "*.txt").save(&into).unwrap();
    assert_eq!(fs::read(into.join("good.txt")).unwrap(), b"good");
    assert!(harvest(&run, "*.txt").save(&into).is_err());
    assert_eq!(fs::read(host.path("victim")).unwrap(), b"victim");
    fs::OpenOptions::new()
        .append(true)
        .open(directory.join("run.log"))
        .unwrap()
        .write_all(b"!")
        .unwrap();
    assert_eq!(fs::read(host.path("victim")).unwrap(), b"victim!");
}

/// HT-FIFO, HT-SOCKET, HT-DEVNODE.
#[test]
fn fifos_sockets_and_devices_are_named_and_never_opened() {
    let host = Host::new();
    let (run, directory) = host.run("");
    rustix::fs::mkfifoat(CWD, directory.join("fifo.txt"), Mode::RWXU).unwrap();
    let _socket = std::os::unix::net::UnixListener::bind(directory.join("socket.txt")).unwrap();
    let mut reasons = vec![("fifo.txt", Why::NotAFile), ("socket.txt", Why::NotAFile)];
    // The naive open of a FIFO waits for a writer; without waiting it shows that there is none.
    let blocked = fs::OpenOptions::new()
        .write(true)
        .custom_flags(libc::O_NONBLOCK)
        .open(directory.join("fifo.txt"));
    assert_eq!(blocked.unwrap_err().raw_os_error(), Some(libc::ENXIO));
    assert_eq!(
        fs::read(directory.join("socket.txt")).unwrap_err().raw_os_error(),
        Some(libc::ENXIO)
    );
    let zero = rustix::fs::makedev(1, 5);
    let device = rustix::fs::FileType::CharacterDevice;
    if rustix::fs::mknodat(CWD, directory.join("device.txt"), device, Mode::RWXU, zero).is_ok() {
        let mut endless = [1; 4096];
        fs::File::open(directory.join("device.txt")).unwrap().read_exact(&mut endless).unwrap();
        assert_eq!(endless, [0; 4096]);
        reasons.insert(0, ("device.txt", Why::NotAFile));
    }
    only_good_but(&harvest(&run, "*.txt"), &reasons);
}

/// HT-SUID, HT-FILECAPS, HT-ACL, HT-XATTRHIDE.
#[test]
fn neither_mode_nor_attributes_nor_access_lists_nor_times_leave_with_a_file() {
    let host = Host::new();
    let (run, directory) =
        host.run("open('tool.txt', 'w').write('x'); open('plain.txt', 'w').write('p')");
    let (tool, plain) = (directory.join("tool.txt"), directory.join("plain.txt"));
    fs::set_permissions(&tool, fs::Permissions::from_mode(0o4755)).unwrap();
    fs::set_permissions(&plain, fs::Permissions::from_mode(0o777)).unwrap();
    fs::File::open(&plain).unwrap().set_modified(std::time::UNIX_EPOCH).unwrap();
    let flags = rustix::fs::XattrFlags::empty();
    rustix::fs::setxattr(&plain, "user.payload", b"payload", flags).unwrap();
    let _needs_privilege = rustix::fs::setxattr(
        &plain,
        "security.capability",
        b"\x01\0\0\x02\0\x20\0\0\0\0\0\0\0\0\0\0\0\0\0\0",
        flags,
    );
    // An access list that gives another user everything (posix_acl_xattr.h: version, then tag, right, id).
    let list: Vec<u8> = [
        (1_u16, 6_u16, u32::MAX),
        (2, 7, 1234),
        (4, 4, u32::MAX),
        (16, 7, u32::MAX),
        (32, 4, u32::MAX),
    ]
    .iter()
    .flat_map(|(tag, right, id)| {
        [&tag.to_le_bytes()[..], &right.to_le_bytes(), &id.to_le_bytes()].concat()
    })
    .collect();
    let list = [&2_u32.to_le_bytes()[..], &list].concat();
    rustix::fs::setxattr(&plain, "system.posix_acl_access", &list, flags).unwrap();
    // The naive copy keeps the mode, and the naive archive all of it.
    naive(&directory, "cp", &["-a", "tool.txt", "plain.txt", host.folder.path().to_str().unwrap()]);
    assert_eq!(fs::metadata(host.path("tool.txt")).unwrap().mode() & 0o7777, 0o4755);
    let mut value = [0; 16];
    assert!(rustix::fs::getxattr(host.path("plain.txt"), "user.payload", &mut value[..]).is_ok());
    let taken = harvest(&run, "*.txt");
    assert_eq!(names(&taken), ["good.txt", "plain.txt"]);
    assert_eq!(taken.findings()[0].why, Why::SetId(0o4755));
    let into = host.path("into");
    fs::create_dir(&into).unwrap();
    taken.save(&into).unwrap();
    let saved = fs::metadata(into.join("plain.txt")).unwrap();
    assert_eq!(saved.mode() & 0o7133, 0, "{:o}", saved.mode());
    assert_eq!(saved.mtime(), 315_532_800);
    assert_eq!(fs::metadata(into.join("good.txt")).unwrap().mtime(), saved.mtime());
    let mut list = [0; 256];
    let length = rustix::fs::listxattr(into.join("plain.txt"), &mut list[..]).unwrap();
    assert!(!text_of(&list[..length]).contains("user.payload"));
    assert!(!text_of(&list[..length]).contains("security.capability"));
    assert!(!text_of(&list[..length]).contains("posix_acl"));
}

/// HT-MODE000.
#[test]
fn a_closed_tree_is_a_finding_for_the_harvest_and_none_for_the_removal() {
    let host = Host::new();
    let (run, directory) =
        host.run("import os\nos.mkdir('closed'); open('closed/x.txt', 'w').write('x')");
    fs::set_permissions(directory.join("closed/x.txt"), fs::Permissions::from_mode(0o0)).unwrap();
    fs::set_permissions(directory.join("closed"), fs::Permissions::from_mode(0o0)).unwrap();
    let privileged = fs::read_dir(directory.join("closed")).is_ok();
    let taken = harvest(&run, "**/*.txt");
    // Whoever may read everything reads it; nobody else does, and changes no mode for it.
    assert_eq!(taken.is_complete(), privileged, "{:?}", taken.findings());
    assert!(names(&taken).contains(&"good.txt"));
    assert_eq!(fs::metadata(directory.join("closed")).unwrap().mode() & 0o777, 0);
    drop(run);
    assert!(!directory.exists());
}

/// HT-DEEPTREE.
#[test]
fn a_tree_of_thousands_of_levels_ends_neither_harvest_nor_removal() {
    let host = Host::new();
    let (run, directory) = host.run(
        "import os\nfor name, depth in (('d', 3000), ('L' * 200, 60)):
    top = os.open('.', os.O_RDONLY)
    for _ in range(depth): os.mkdir(name); os.chdir(name)
    open('deep.txt', 'w'); os.fchdir(top)",
    );
    let rmtree =
        naive(&directory, "python3", &["-c", "import shutil; shutil.copytree('.', '../copy')"]);
    assert!(!rmtree.status.success(), "the naive copy worked");
    let long = "L".repeat(200);
    let deep = ["d"; 17].join("/");
    let deep_long = [long.as_str(); 17].join("/");
    let too_deep = [(deep_long.as_str(), Why::TooDeep(16)), (deep.as_str(), Why::TooDeep(16))];
    only_good_but(&harvest(&run, "**/*.txt"), &too_deep);
    drop(run);
    assert!(!directory.exists());
}

/// HT-MANYFILES.
#[test]
fn of_many_files_as_many_are_taken_and_looked_at_as_the_limits_say() {
    let host = Host::new();
    let (run, directory) = host.run(
        "import os\nos.mkdir('many')\nfor i in range(3000): open('many/%d.txt' % i, 'w').write('x')",
    );
    // The naive walk takes them all.
    assert_eq!(fs::read_dir(directory.join("many")).unwrap().count(), 3000);
    let most = |files, entries| HarvestLimits { files, entries, ..HarvestLimits::default() };
    let few = run.harvest("many/*.txt", &most(100, 20_000)).unwrap();
    assert_eq!((few.files().len(), few.findings().len()), (100, 1));
    assert_eq!(few.findings()[0].why, Why::Full { what: "files", most: 100 });
    let looked = run.harvest("many/*.bin", &most(100, 500)).unwrap();
    assert_eq!(looked.findings()[0].why, Why::Full { what: "entries", most: 500 });
    let bytes = HarvestLimits { bytes: 10, ..HarvestLimits::default() };
    let bytes = run.harvest("many/?.txt", &bytes).unwrap();
    assert_eq!((bytes.files().len(), bytes.is_complete()), (10, true));
    let bytes = HarvestLimits { bytes: 9, ..HarvestLimits::default() };
    assert_eq!(run.harvest("many/?.txt", &bytes).unwrap().files().len(), 9);
    assert!(run.harvest("many/*.txt", &most(5_000, 20_000)).unwrap().is_complete());
    // What is spelled is found among any number of others.
    let spelled = run.harvest("many/2999.txt", &most(1, 10)).unwrap();
    assert_eq!((names(&spelled), spelled.is_complete()), (vec!["many/2999.txt"], true));
    assert!(run.harvest("many/absent.txt", &most(1, 10)).unwrap().is_complete());
    drop(run);
    assert!(!directory.exists());
}

/// HT-SPARSE.
#[test]
fn a_file_that_is_far_larger_than_what_is_stored_of_it_is_left() {
    let host = Host::new();
    let (run, directory) = host.run(
        "with open('bomb.txt', 'wb') as f: f.truncate(1 << 25)\nwith open('dense.txt', 'wb') as f: f.write(b'd' * (1 << 21))\n\
         with open('large.txt', 'wb') as f: f.truncate(1 << 27)",
    );
    // The naive host would read every zero.
    assert_eq!(fs::metadata(directory.join("large.txt")).unwrap().len(), 1 << 27);
    let taken = harvest(&run, "*.txt");
    assert_eq!(names(&taken), ["dense.txt", "good.txt"]);
    assert!(matches!(taken.findings()[0].why, Why::Sparse { size, .. } if size == 1 << 25));
    assert!(matches!(taken.findings()[1].why, Why::TooLarge { size, .. } if size == 1 << 27));
}

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

/// HT-SYMLOOP.
#[test]
fn links_that_lead_in_circles_multiply_nothing() {
    let host = Host::new();
    let (run, directory) = host.run(
        "import os\nos.mkdir('d'); os.symlink('..', 'd/up'); os.symlink('.', 'self'); os.symlink('loop', 'loop')\n\
         open('d/x.txt', 'w').write('x')",
    );
    // The naive path through the circle is as good a path as any.
    assert!(fs::read(directory.join("d/up/d/up/self/self/d/x.txt")).is_ok());
    let taken = harvest(&run, "**/*.txt");
    assert_eq!(names(&taken), ["d/x.txt", "good.txt"]);
    assert_eq!(taken.findings().len(), 3);
    assert!(taken.findings().iter().all(|finding| finding.why == Why::Link));
}

/// HT-HARDLINKOUT.
#[test]
fn a_file_with_a_second_name_is_left_and_a_copy_is_nobody_elses() {
    let host = Host::new();
    let (run, directory) =
        host.run("import os\nopen('a.txt', 'w').write('a'); os.link('a.txt', 'tmp/b')");
    fs::write(directory.join("tmp/b"), "changed").unwrap();
    assert_eq!(fs::read(directory.join("a.txt")).unwrap(), b"changed");
    let taken = harvest(&run, "*.txt");
    only_good_but(&taken, &[("a.txt", Why::HardLink(2))]);
    // What is written behind the harvest does not reach its copy.
    fs::write(directory.join("good.txt"), "forged").unwrap();
    assert_eq!(taken.files()[0].read().unwrap(), b"good");
    let copied = fs::metadata(directory.join("good.txt")).unwrap();
    assert_eq!(copied.nlink(), 1);
}

/// HT-GITCONFIG, HT-IMPORTSHADOW, HT-AGENTCONFIG.
#[test]
fn files_that_tools_act_on_leave_only_where_the_pattern_spells_them() {
    let host = Host::new();
    let (run, directory) = host.run(
        "import os\nos.makedirs('.git/hooks'); os.makedirs('.claude'); os.mkdir('pkg')
for name in ('.git/config', '.claude/settings.json', '.envrc', 'Makefile', 'conftest.py', 'pkg/sitecustomize.py', 'x.pth'):
    open(name, 'w').write('x')
open('json.py', 'w').write('open(\"canary\", \"w\")')",
    );
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

#[test]
fn a_pattern_that_leads_out_of_the_run_directory_is_an_error() {
    let host = Host::new();
    let (run, _directory) = host.run("");
    for pattern in ["../owner.json", "/etc/passwd", "", "a/../../x"] {
        let refused = run.harvest(pattern, &HarvestLimits::default());
        assert!(matches!(refused, Err(HarvestError::Pattern(_))), "{pattern:?}");
    }
    assert_eq!(names(&harvest(&run, "good.txt")), ["good.txt"]);
}

#[test]
fn a_directory_that_is_mounted_in_a_run_directory_is_left_and_its_files_stay() {
    let host = Host::new();
    let precious = host.path("precious");
    fs::create_dir(&precious).unwrap();
    fs::write(precious.join("x.txt"), "precious").unwrap();
    let (run, directory) = host.run("import os\nos.mkdir('mounted')");
    let place = directory.join("mounted");
    let (from, to) = (precious.to_str().unwrap(), place.to_str().unwrap());
    let mounted = naive(Path::new("/"), "mount", &["--bind", from, to]).status.success();
    let taken = harvest(&run, "mounted/*.txt");
    if mounted {
        // The naive host reads through it.
        assert_eq!(fs::read(place.join("x.txt")).unwrap(), b"precious");
        assert!(taken.files().is_empty());
    }
    drop(run);
    assert_eq!(fs::read(precious.join("x.txt")).unwrap(), b"precious");
    if mounted {
        assert!(naive(Path::new("/"), "umount", &[to]).status.success());
    }
}
