//! Traps that a program can leave in its run directory for the host that collects from it. The technique ids
//! (HT-...) are those of `docs/threat-model.md`. In each test a naive host walks into the trap first: that is
//! the control. Where the strict filter lets no program lay the trap, the test lays it, as a program under a
//! weaker sandbox could.

#![expect(clippy::unwrap_used, reason = "a test fails where its setting is broken")]

mod bounds;
mod content;
mod links;

use backends::executor::{Program, Run};
use backends::harvest::{Harvest, HarvestError, HarvestLimits, Why};
use backends::policy::{Bound, Limits};
use backends::session::{Session, session_limits};
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
        // A budget of the directory would end some programs before their traps are laid.
        let limits = Limits {
            run_directory_bytes: Bound::Unlimited,
            run_directory_entries: Bound::Unlimited,
            ..session_limits()
        };
        let session = Session::builder().base(folder.path().join("base")).limits(limits).build();
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
    let capable = rustix::fs::setxattr(
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
    let kept = |name: &str| {
        rustix::fs::getxattr(host.path("plain.txt"), name, &mut [0_u8; 256][..]).is_ok()
    };
    assert!(kept("user.payload") && kept("system.posix_acl_access"));
    // To give a file capabilities needs privilege; who has it copies them, too.
    assert_eq!(kept("security.capability"), capable.is_ok());
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
