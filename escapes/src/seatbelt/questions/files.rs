//! Files: reading, looking, writing, planting.

use super::super::scenario::{OUTSIDE, RUN, call, directory, file, node};
use super::Question::{self, Absent, Launch, Needs};
use super::{CLOSED, Entry, GETFSSTAT64};
use backends::macos::access::Vnode;

/// Why there is nothing below `/proc`.
const NO_PROC: &str = "macOS has no /proc";
const LINUX_CALL: &str = "a system call of Linux alone";

fn secret() -> String {
    format!("{OUTSIDE}/secret")
}

fn read() -> Question {
    Needs(vec![file("file-read-data", &secret())])
}

fn write(operation: &str) -> Question {
    Needs(vec![file(operation, &secret())])
}

fn look() -> Question {
    Needs(vec![file("file-read-metadata", &secret())])
}

fn list() -> Question {
    Needs(vec![directory("file-read-data", OUTSIDE)])
}

fn create() -> Question {
    Needs(vec![file("file-write-create", &format!("{OUTSIDE}/planted"))])
}

fn link() -> Question {
    Needs(vec![file("file-link", &secret()), file("file-write-create", &format!("{RUN}/name"))])
}

/// A rename is the removal of one name and the creation of another.
fn rename_in() -> Question {
    Needs(vec![
        file("file-write-create", &format!("{RUN}/taken")),
        file("file-write-unlink", &secret()),
    ])
}

fn rename_out() -> Question {
    Needs(vec![
        file("file-write-unlink", &format!("{RUN}/own")),
        file("file-write-create", &format!("{OUTSIDE}/own")),
    ])
}

fn through_own_link() -> Question {
    Needs(vec![
        node("file-write-create", &format!("{RUN}/link"), Vnode::Symlink),
        file("file-read-data", &secret()),
    ])
}

pub(super) const ENTRIES: &[Entry] = &[
    ("fs-read/*", read),
    ("fs-read/beside*", || Needs(vec![directory("file-read-data", "/usr/share")])),
    ("fs-read/clone-fd*", || {
        Absent(
            "the requests that share extents are Linux's; file-clone is asked of MC-READDENYMOVE",
        )
    }),
    ("fs-read/device*", || {
        Needs(vec![node("file-read-data", "/dev/rdisk0", Vnode::CharacterDevice)])
    }),
    ("fs-read/handle*", || {
        Absent("file handles need root and a call that only its file server has")
    }),
    ("fs-read/inherited*", || Launch(CLOSED)),
    ("fs-read/io-uring*", || Absent(LINUX_CALL)),
    ("fs-read/link-in*", link),
    ("fs-read/openat2*", || Absent(LINUX_CALL)),
    ("fs-read/proc-*", || Absent(NO_PROC)),
    ("fs-read/rename-in*", rename_in),
    ("fs-read/shm-dev*", || {
        Absent("shared memory has no files on macOS; ipc-posix-shm is asked of ipc/shm-named")
    }),
    ("fs-read/symlink*", through_own_link),
    ("metadata/*", look),
    ("metadata/file-attr*", look),
    ("metadata/list-xattr.inherited*", || Launch(CLOSED)),
    ("metadata/get-xattr*", || Needs(vec![file("file-read-xattr", &secret())])),
    ("metadata/list-dir*", list),
    ("metadata/io-uring*", || Absent(LINUX_CALL)),
    ("metadata/mounts*", || Needs(vec![call(GETFSSTAT64)])),
    ("metadata/name-to-handle*", || Absent(LINUX_CALL)),
    ("metadata/open-path*", || {
        Needs(vec![file("file-test-existence", &secret()), file("file-read-metadata", &secret())])
    }),
    ("fs-write/create*", create),
    ("fs-write/read-only*", || {
        Needs(vec![node("file-write-data", "/dev/zero", Vnode::CharacterDevice)])
    }),
    ("fs-write/handle*", || {
        Absent("file handles need root and a call that only its file server has")
    }),
    ("fs-write/io-uring*", || Absent(LINUX_CALL)),
    ("fs-write/write*", || write("file-write-data")),
    ("fs-write/truncate*", || write("file-write-data")),
    ("fs-write/reopen*", || write("file-write-data")),
    ("fs-write/evidence*", || write("file-write-data")),
    ("fs-write/route*", || write("file-write-data")),
    ("fs-write/route.create-*", create),
    ("fs-write/route.directory-*", create),
    ("fs-write/route.name-*", rename_out),
    ("fs-write/route.delete-*", || write("file-write-unlink")),
    ("fs-write/route.replace-*", rename_out),
    ("fs-write/route-owner*", || write("file-write-mode")),
    ("fs-write/route-owner.owner-*", || write("file-write-owner")),
    ("fs-write/route-owner.times-*", || write("file-write-times")),
    ("fs-write/route-owner.attribute-*", || write("file-write-xattr")),
    ("fs-write/delete*", || write("file-write-unlink")),
    ("fs-write/rename-over*", rename_out),
    ("fs-write/move-out*", rename_out),
    ("fs-write/second-name*", link),
    ("fs-write/tmp-file*", create),
    ("fs-write/chmod*", || write("file-write-mode")),
    ("fs-write/chown*", || write("file-write-owner")),
    ("fs-write/utime*", || write("file-write-times")),
    ("fs-write/set-xattr*", || write("file-write-xattr")),
    ("fs-write/ioctl-flags*", || write("file-write-flags")),
    ("fs-write/lock*", || write("file-lock")),
    ("fs-write/inherited-*", || Launch(CLOSED)),
    ("fs-write/proc-sys*", || Absent(NO_PROC)),
    ("fs-write/pycache*", || {
        Needs(vec![file("file-write-create", &format!("{OUTSIDE}/__pycache__/module.pyc"))])
    }),
    ("fs-write/core-dump*", || Needs(vec![file("file-write-create", "/cores/core.1")])),
    ("plant/*", create),
    ("plant/inherited-directory*", || Launch(CLOSED)),
    ("plant/rename*", rename_out),
    ("plant/rename.link", link),
    ("plant/symlink*", || {
        Needs(vec![
            node("file-write-create", &format!("{RUN}/link"), Vnode::Symlink),
            file("file-write-create", &format!("{OUTSIDE}/planted")),
        ])
    }),
    ("environment/*", || Launch("the environment is exactly that of the policy")),
];
