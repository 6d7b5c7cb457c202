//! Owner records: what is read as one, and when its writer has surely ended.

use super::*;
use rustix::io::{FdFlags, fcntl_getfd};
use std::os::fd::AsFd;
use std::os::unix::fs::MetadataExt;

fn folder() -> (tempfile::TempDir, File) {
    let folder = tempfile::tempdir().unwrap();
    let root = File::open(folder.path()).unwrap();
    (folder, root)
}

#[test]
fn a_record_is_read_as_it_was_written_and_its_writer_lives() {
    let (folder, root) = folder();
    let owner = Owner::current("native").unwrap();
    owner.write(root.as_fd(), "record").unwrap();
    let read = Owner::read(root.as_fd(), "record").unwrap();
    assert_eq!((&read, read.life()), (&owner, Life::Living));
    let mode = std::fs::metadata(folder.path().join("record")).unwrap().mode();
    assert_eq!(mode & 0o777, 0o600);
    assert!(matches!(
        Owner::read(root.as_fd(), "absent"),
        Err(RecordError::Call { call: "openat2", .. })
    ));
}

#[test]
fn a_record_says_what_tells_its_writer_from_every_other_process() {
    let owner = Owner::current("native").unwrap();
    assert_eq!((owner.schema, owner.pid), (Owner::SCHEMA, std::process::id()));
    assert_eq!((owner.backend.as_str(), &owner.release[..]), ("native", &[Held::Tree][..]));
    // A boot is a UUID, without the line end of its file; a namespace is its kind and an inode.
    assert_eq!(owner.boot.split('-').map(str::len).collect::<Vec<_>>(), [8, 4, 4, 4, 12]);
    let namespace = owner.pid_namespace.strip_prefix("pid:[").unwrap();
    assert!(namespace.strip_suffix(']').unwrap().parse::<u64>().is_ok());
}

#[test]
fn an_owner_has_ended_when_its_pid_is_gone_or_reused_or_of_another_boot() {
    let owner = Owner::current("native").unwrap();
    let changed = |change: &dyn Fn(&mut Owner)| {
        let mut owner = owner.clone();
        change(&mut owner);
        owner.life()
    };
    assert_eq!(changed(&|_owner| ()), Life::Living);
    assert_eq!(changed(&|owner| owner.pid = 0), Life::Ended);
    assert_eq!(changed(&|owner| owner.start_time += 1), Life::Ended);
    assert_eq!(changed(&|owner| owner.boot.push('x')), Life::Ended);
    assert_eq!(changed(&|owner| owner.pid_namespace.push('x')), Life::Ended);
    // A record of a later version may mean anything.
    assert_eq!(changed(&|owner| owner.schema = 2), Life::Living);
}

#[test]
fn a_process_is_as_old_as_the_kernel_says_whatever_its_name_and_a_zombie_has_ended() {
    let stat = |name: &str, state: &str| {
        format!("7 ({name}) {state} 1 7 7 0 -1 4194304 9 0 0 0 0 0 0 0 20 0 1 0 4711 5 6 7")
    };
    for name in ["sh", "a b", ") Z 1 2", "((", ""] {
        assert_eq!(started(stat(name, "S").as_bytes()).unwrap(), Some(4711), "{name:?}");
        for ended in ["Z", "X"] {
            assert_eq!(started(stat(name, ended).as_bytes()).unwrap(), None, "{name:?}");
        }
    }
    for torn in ["", "7 (sh) ", "7 (sh) S 1 7", &stat("sh", "S").replace("4711", "x")] {
        assert_eq!(started(torn.as_bytes()).unwrap_err().kind(), io::ErrorKind::InvalidData);
    }
}

#[test]
fn a_process_is_gone_when_the_kernel_knows_it_no_more_and_not_when_we_fail_to_look() {
    let looked = |errno| nothing_if_gone(io::Error::from_raw_os_error(errno));
    for gone in [libc::ENOENT, libc::ESRCH] {
        assert_eq!(looked(gone).unwrap(), None);
    }
    for failed in [libc::EACCES, libc::EMFILE, libc::EPERM, libc::EIO] {
        assert_eq!(looked(failed).unwrap_err().raw_os_error(), Some(failed));
    }
    assert!(nothing_if_gone(io::ErrorKind::UnexpectedEof.into()).is_err());
}

#[test]
fn a_record_that_is_a_link_a_fifo_or_endless_is_not_read() {
    let (folder, root) = folder();
    Owner::current("native").unwrap().write(root.as_fd(), "record").unwrap();
    std::os::unix::fs::symlink("record", folder.path().join("link")).unwrap();
    rustix::fs::mkfifoat(&root, "fifo", Mode::RWXU).unwrap();
    // With a writer, even an open that waits would come back; what is seen below is that ours does not wait.
    let _writer = openat(&root, "fifo", OFlags::RDWR | OFlags::CLOEXEC, Mode::empty()).unwrap();
    File::create(folder.path().join("endless")).unwrap().set_len(1 << 40).unwrap();
    let read = |name| Owner::read(root.as_fd(), name);
    assert!(matches!(read("link"), Err(RecordError::Call { call: "openat2", .. })));
    for name in ["fifo", "endless"] {
        assert!(matches!(read(name), Err(RecordError::NotAFile)), "{name}");
    }
    read("record").unwrap();
    let fifo = open(root.as_fd(), "fifo").unwrap();
    assert!(rustix::fs::fcntl_getfl(&fifo).unwrap().contains(OFlags::NONBLOCK));
    assert!(fcntl_getfd(&fifo).unwrap().contains(FdFlags::CLOEXEC));
}

#[test]
fn a_record_may_have_the_largest_size_and_not_a_byte_more() {
    let (folder, root) = folder();
    let owner = Owner::current("native").unwrap();
    let mut bytes = serde_json::to_vec(&owner).unwrap();
    bytes.resize(1 << 16, b' ');
    std::fs::write(folder.path().join("record"), &bytes).unwrap();
    assert_eq!(Owner::read(root.as_fd(), "record").unwrap(), owner);
    bytes.push(b' ');
    std::fs::write(folder.path().join("record"), &bytes).unwrap();
    assert!(matches!(Owner::read(root.as_fd(), "record"), Err(RecordError::NotAFile)));
}

#[test]
fn a_record_is_written_beside_no_other_and_whole() {
    let (folder, root) = folder();
    let owner = Owner::current("native").unwrap();
    std::fs::write(folder.path().join("record.part"), "half").unwrap();
    assert!(matches!(
        owner.write(root.as_fd(), "record"),
        Err(RecordError::Call { call: "open", .. })
    ));
    std::fs::remove_file(folder.path().join("record.part")).unwrap();
    owner.write(root.as_fd(), "record").unwrap();
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
}
