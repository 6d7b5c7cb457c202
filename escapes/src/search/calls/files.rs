//! Calls on files, by path and by descriptor.

use super::Argument::{Choice, Descriptor, Directory, Fixed as Given, Place};
use super::{BUFFER, Call, Fixed, Gives, LENGTH, NONE, Role, SENT, Shows, Special, constant};
use libc::*;

/// How a path is opened: never so that opening waits for somebody.
const ACCESS: Argument = Choice(&[
    ("read", calm(O_RDONLY)),
    ("write", calm(O_WRONLY)),
    ("both", calm(O_RDWR)),
    ("append", calm(O_WRONLY | O_APPEND)),
    ("truncate", calm(O_WRONLY | O_TRUNC)),
    ("create", calm(O_WRONLY | O_CREAT)),
    ("exclusive", calm(O_RDWR | O_CREAT | O_EXCL)),
    ("path", calm(O_PATH)),
    ("list", calm(O_RDONLY | O_DIRECTORY)),
    ("unnamed", calm(O_RDWR | O_TMPFILE)),
]);

type Argument = super::Argument;

const fn calm(flags: i32) -> i64 {
    (flags | O_NONBLOCK | O_NOCTTY | O_CLOEXEC) as i64
}

const MODE: Argument = constant(0o700);
const HOW: Argument = Given(Fixed::Words(&[(O_RDONLY | O_NONBLOCK | O_CLOEXEC) as u64, 0, 0]));
const OWN: Argument = Given(Fixed::Own);
/// The first second of 1970, twice.
const TIMES: Argument = Given(Fixed::Words(&[1, 0, 1, 0]));
const NODE: Argument = Choice(&[
    ("regular", (S_IFREG | 0o600) as i64),
    ("pipe", (S_IFIFO | 0o600) as i64),
    ("socket", (S_IFSOCK | 0o600) as i64),
]);
const REMOVAL: Argument = Choice(&[("file", 0), ("directory", AT_REMOVEDIR as i64)]);
const RENAME: Argument =
    Choice(&[("plain", 0), ("exchange", RENAME_EXCHANGE as i64), ("new", RENAME_NOREPLACE as i64)]);
const ATTRIBUTE: Argument = Given(Fixed::Literal(c"user.found"));
const DECOY_ATTRIBUTE: Argument = Given(Fixed::Literal(c"user.decoy"));
/// Standard output, for calls that copy from one descriptor to another.
const OUTPUT: Argument = constant(1);

/// Not in `libc` for every target (`asm-generic/unistd.h`).
const FCHMODAT2: i64 = 452;

const fn open(name: &'static str, number: i64, arguments: &'static [Argument]) -> Call {
    Call::act(name, number, arguments).gives(Gives::Descriptor).role(Role::Open)
}

const fn read(name: &'static str, number: i64, arguments: &'static [Argument]) -> Call {
    Call::act(name, number, arguments).gives(Gives::Bytes).role(Role::Use)
}

const fn write(name: &'static str, number: i64, arguments: &'static [Argument]) -> Call {
    Call::act(name, number, arguments).role(Role::Use)
}

const fn way(name: &'static str, number: i64, arguments: &'static [Argument]) -> Call {
    Call::act(name, number, arguments).role(Role::Way)
}

pub(super) const CALLS: &[Call] = &[
    open("openat", SYS_openat, &[Directory, Place, ACCESS, MODE]),
    open("openat2", SYS_openat2, &[Directory, Place, HOW, constant(24)]),
    #[cfg(target_arch = "x86_64")]
    open("open", SYS_open, &[Place, ACCESS, MODE]),
    #[cfg(target_arch = "x86_64")]
    open("creat", SYS_creat, &[Place, MODE]),
    read("read", SYS_read, &[Descriptor, BUFFER, LENGTH]),
    read("pread64", SYS_pread64, &[Descriptor, BUFFER, LENGTH, NONE]),
    read("readv", SYS_readv, &[Descriptor, Given(Fixed::Vector), constant(1)]),
    read("getdents64", SYS_getdents64, &[Descriptor, BUFFER, LENGTH]),
    read("recvfrom", SYS_recvfrom, &[Descriptor, BUFFER, LENGTH, constant(MSG_DONTWAIT as i64)]),
    write("sendfile", SYS_sendfile, &[OUTPUT, Descriptor, NONE, LENGTH]),
    write("splice", SYS_splice, &[Descriptor, NONE, OUTPUT, NONE, LENGTH, NONE]),
    write("write", SYS_write, &[Descriptor, BUFFER, SENT]),
    write("pwrite64", SYS_pwrite64, &[Descriptor, BUFFER, SENT, NONE]),
    write("writev", SYS_writev, &[Descriptor, Given(Fixed::Vector), constant(1)]),
    write("ftruncate", SYS_ftruncate, &[Descriptor, constant(7)]),
    write("fallocate", SYS_fallocate, &[Descriptor, NONE, NONE, constant(9)]),
    write("fchmod", SYS_fchmod, &[Descriptor, constant(0o777)]),
    write("fchown", SYS_fchown, &[Descriptor, OWN, OWN]),
    write("futimens", SYS_utimensat, &[Descriptor, NONE, TIMES, NONE]),
    write("fsetxattr", SYS_fsetxattr, &[Descriptor, ATTRIBUTE, BUFFER, constant(4), NONE]),
    write("fremovexattr", SYS_fremovexattr, &[Descriptor, DECOY_ATTRIBUTE]),
    way("symlinkat", SYS_symlinkat, &[Place, Directory, Place]),
    way("linkat", SYS_linkat, &[Directory, Place, Directory, Place, NONE]),
    way("renameat2", SYS_renameat2, &[Directory, Place, Directory, Place, RENAME]),
    way("mkdirat", SYS_mkdirat, &[Directory, Place, MODE]),
    way("chdir", SYS_chdir, &[Place]),
    way("fchdir", SYS_fchdir, &[Descriptor]),
    way("dup", SYS_dup, &[Descriptor]).gives(Gives::Descriptor),
    Call::act("unlinkat", SYS_unlinkat, &[Directory, Place, REMOVAL]),
    Call::act("mknodat", SYS_mknodat, &[Directory, Place, NODE, NONE]),
    Call::act("truncate", SYS_truncate, &[Place, constant(5)]),
    Call::act("fchmodat", SYS_fchmodat, &[Directory, Place, constant(0o777)]),
    Call::act("fchmodat2", FCHMODAT2, &[Directory, Place, constant(0o777), NONE]),
    Call::act("fchownat", SYS_fchownat, &[Directory, Place, OWN, OWN, NONE]),
    Call::act("utimensat", SYS_utimensat, &[Directory, Place, TIMES, NONE]),
    Call::act("setxattr", SYS_setxattr, &[Place, ATTRIBUTE, BUFFER, constant(4), NONE]),
    Call::act("removexattr", SYS_removexattr, &[Place, DECOY_ATTRIBUTE]),
    #[cfg(target_arch = "x86_64")]
    Call::act("unlink", SYS_unlink, &[Place]),
    #[cfg(target_arch = "x86_64")]
    Call::act("rmdir", SYS_rmdir, &[Place]),
    #[cfg(target_arch = "x86_64")]
    way("mkdir", SYS_mkdir, &[Place, MODE]),
    #[cfg(target_arch = "x86_64")]
    way("rename", SYS_rename, &[Place, Place]),
    #[cfg(target_arch = "x86_64")]
    way("link", SYS_link, &[Place, Place]),
    #[cfg(target_arch = "x86_64")]
    way("symlink", SYS_symlink, &[Place, Place]),
    #[cfg(target_arch = "x86_64")]
    Call::act("mknod", SYS_mknod, &[Place, NODE, NONE]),
    #[cfg(target_arch = "x86_64")]
    Call::act("chmod", SYS_chmod, &[Place, constant(0o777)]),
    #[cfg(target_arch = "x86_64")]
    Call::act("chown", SYS_chown, &[Place, OWN, OWN]),
    #[cfg(target_arch = "x86_64")]
    Call::act("utimes", SYS_utimes, &[Place, TIMES]),
    Call::act("io_uring", SYS_io_uring_setup, &[Place]).gives(Gives::Special(Special::Ring)),
    Call::act("close", SYS_close, &[Descriptor])
        .gives(Gives::Special(Special::Close))
        .role(Role::Chained),
    Call::act("lsetxattr", SYS_lsetxattr, &[Place, ATTRIBUTE, BUFFER, constant(4), NONE]),
    way("chroot", SYS_chroot, &[Place]).shows(Shows::State),
];
