//! What an entry is opened through, and what a file must be to leave.

use super::*;
use rustix::fs::{fcntl_getfl, fstat};
use rustix::io::{FdFlags, fcntl_getfd};
use std::fs::{self, File};
use std::os::unix::fs::symlink;

/// A plain file of one byte, whose facts are then changed.
fn inspected(change: impl FnOnce(&mut Stat)) -> Result<(), Why> {
    let mut file = tempfile::tempfile().unwrap();
    io::Write::write_all(&mut file, b"x").unwrap();
    let mut stat = fstat(&file).unwrap();
    stat.st_mode = libc::S_IFREG | 0o644;
    stat.st_nlink = 1;
    assert_eq!(inspect(&stat, &HarvestLimits::default()), Ok(()));
    change(&mut stat);
    inspect(&stat, &HarvestLimits::default())
}

#[test]
fn only_a_plain_file_with_one_name_and_no_identity_of_its_own_may_leave() {
    for kind in [libc::S_IFIFO, libc::S_IFSOCK, libc::S_IFCHR, libc::S_IFBLK, libc::S_IFDIR] {
        assert_eq!(inspected(|stat| stat.st_mode = kind | 0o644), Err(Why::NotAFile));
    }
    for names in [0, 2, 3] {
        assert_eq!(inspected(|stat| stat.st_nlink = names), Err(Why::HardLink(names)));
    }
    for mode in [0o4755, 0o2755, 0o6711, 0o7000] {
        let with_mode = inspected(|stat| stat.st_mode = libc::S_IFREG | mode);
        assert_eq!(with_mode, Err(Why::SetId(mode)));
    }
    for mode in [0, 0o1777, 0o777] {
        assert_eq!(inspected(|stat| stat.st_mode = libc::S_IFREG | mode), Ok(()));
    }
}

#[test]
fn a_file_may_be_as_large_as_the_limit_and_not_a_byte_larger() {
    let most = HarvestLimits::default().file_bytes;
    let of = |size: u64| {
        inspected(|stat| {
            stat.st_size = i64::try_from(size).unwrap();
            stat.st_blocks = 1 << 40;
        })
    };
    assert_eq!(of(most), Ok(()));
    assert_eq!(of(most + 1), Err(Why::TooLarge { size: most + 1, most }));
    assert_eq!(of(0), Ok(()));
    // A size that is none is as large as can be.
    let negative = inspected(|stat| stat.st_size = -1);
    assert_eq!(negative, Err(Why::TooLarge { size: u64::MAX, most }));
}

#[test]
fn a_file_above_a_mebibyte_has_a_sixteenth_of_its_size_stored() {
    let of = |size, blocks| {
        inspected(|stat| {
            stat.st_size = size;
            stat.st_blocks = blocks;
        })
    };
    const MEBIBYTE: i64 = 1_048_576;
    assert_eq!(of(MEBIBYTE, 0), Ok(()));
    assert_eq!(of(MEBIBYTE + 1, 0), Err(Why::Sparse { size: 1_048_577, stored: 0 }));
    assert_eq!(of(MEBIBYTE + 1, -1), Err(Why::Sparse { size: 1_048_577, stored: 0 }));
    let size = 16 * 512 * 129;
    assert_eq!(of(size, 129), Ok(()));
    assert_eq!(of(size, 130), Ok(()));
    assert_eq!(of(size, 128), Err(Why::Sparse { size: 1_056_768, stored: 65_536 }));
}

#[test]
fn an_entry_is_opened_through_no_link_into_no_other_file_system_and_without_waiting() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("directory")).unwrap();
    fs::write(folder.path().join("file"), "").unwrap();
    symlink("file", folder.path().join("link")).unwrap();
    symlink("directory", folder.path().join("folder")).unwrap();
    let parent = File::open(folder.path()).unwrap();
    for (name, flags) in [(c"file", OFlags::empty()), (c"directory", OFlags::DIRECTORY)] {
        let opened = beneath(&parent, name, flags).unwrap();
        assert!(fcntl_getfl(&opened).unwrap().contains(flags | OFlags::NONBLOCK));
        assert!(fcntl_getfd(&opened).unwrap().contains(FdFlags::CLOEXEC));
    }
    let refused = |parent: &File, name, flags| beneath(parent, name, flags).unwrap_err();
    assert_eq!(refused(&parent, c"link", OFlags::empty()), Errno::LOOP);
    assert_eq!(refused(&parent, c"folder", OFlags::DIRECTORY), Errno::LOOP);
    assert_eq!(refused(&parent, c"..", OFlags::DIRECTORY), Errno::XDEV);
    assert_eq!(refused(&parent, c"file", OFlags::DIRECTORY), Errno::NOTDIR);
    assert_eq!(refused(&File::open("/").unwrap(), c"proc", OFlags::DIRECTORY), Errno::XDEV);
}

#[test]
fn a_refused_open_says_why() {
    assert_eq!(refused_open(Errno::LOOP), Why::Link);
    assert_eq!(refused_open(Errno::XDEV), Why::Mount);
    assert!(matches!(refused_open(Errno::ACCESS), Why::Unreadable { call: "openat2", .. }));
}
