//! Descriptors: sockets that reach nobody, names that are changed, and what is asked of open ones.

use super::*;

#[test]
fn a_socket_reaches_nobody_but_its_own_other_end() {
    let (unix, inet, stream, dgram) = (1, 2, 1, 2);
    let flags = (libc::SOCK_CLOEXEC | libc::SOCK_NONBLOCK) as u64;
    all_get(&[
        ("socketpair", &[unix, stream], ALLOW),
        ("socketpair", &[unix, stream | flags], ALLOW),
        ("socketpair", &[unix | HIGH, stream | HIGH], ALLOW),
        ("socketpair", &[unix, dgram], EACCES),
        ("socketpair", &[unix, dgram | flags], EACCES),
        ("socketpair", &[unix, 5], EACCES),
        ("socketpair", &[inet, stream], EACCES),
        ("sendto", &[3, 0x1000, 5, 0, 0, 0], ALLOW),
        ("sendto", &[3, 0x1000, 5, 0, 0x1000, 110], EACCES),
        ("sendto", &[3, 0x1000, 5, 0, HIGH, 110], EACCES),
        ("sendmsg", &[3], EACCES),
        ("sendmmsg", &[3], EACCES),
        ("socket", &[unix, stream], EACCES),
        ("connect", &[3], EACCES),
    ]);
}

#[test]
fn a_socket_carries_bytes_and_neither_urgent_data_nor_programs() {
    let (dont_wait, urgent) = (libc::MSG_DONTWAIT as u64, libc::MSG_OOB as u64);
    for name in ["sendto", "recvfrom", "recvmmsg"] {
        assert_eq!(call(name, &[3, 0x1000, 5, dont_wait]), ALLOW, "{name}");
        assert_eq!(call(name, &[3, 0x1000, 5, dont_wait | urgent]), EACCES, "{name}");
    }
    assert_eq!(call("recvmsg", &[3, 0x1000, dont_wait]), ALLOW);
    assert_eq!(call("recvmsg", &[3, 0x1000, urgent | HIGH]), EACCES);
    let option = |level: i32, option: i32| call("setsockopt", &[3, level as u64, option as u64]);
    assert_eq!(option(libc::SOL_SOCKET, libc::SO_SNDBUF), ALLOW);
    let refused = [libc::SO_ATTACH_FILTER, libc::SO_ATTACH_BPF, libc::SO_TIMESTAMPING];
    assert_eq!(refused.map(|number| option(libc::SOL_SOCKET, number)), [ENOTSUP; 3]);
    assert_eq!(option(0, libc::SO_SNDBUF), ENOTSUP);
}

#[test]
fn a_rename_leaves_no_device_behind() {
    let rename = |flags: u32| call("renameat2", &[0, 0, 0, 0, u64::from(flags)]);
    let (keep, exchange) = (libc::RENAME_NOREPLACE, libc::RENAME_EXCHANGE);
    assert_eq!([0, keep, exchange].map(rename), [ALLOW; 3]);
    let whiteout = libc::RENAME_WHITEOUT;
    assert_eq!([whiteout, whiteout | keep, 1 << 31].map(rename), [EPERM; 3]);
}

#[test]
fn a_descriptor_is_managed_but_not_made_to_signal_or_to_watch() {
    let ioctl = |request: u64| call("ioctl", &[3, request]);
    let (fionbio, tiocsti, set_flags, winsize) = (0x5421, 0x5412, 0x4008_6602, 0x5413);
    assert_eq!([fionbio, winsize, fionbio | HIGH].map(ioctl), [ALLOW; 3]);
    assert_eq!([tiocsti, set_flags, tiocsti | HIGH, 0].map(ioctl), [ENOTTY; 4]);

    let fcntl = |command: i32| call("fcntl", &[3, command as u64]);
    let allowed = [libc::F_DUPFD_CLOEXEC, libc::F_SETFL, libc::F_SETLKW, libc::F_OFD_SETLK];
    assert_eq!(allowed.map(fcntl), [ALLOW; 4]);
    let refused = [libc::F_SETOWN, 10, 15, libc::F_SETLEASE, libc::F_NOTIFY, libc::F_SETPIPE_SZ];
    assert_eq!(refused.map(fcntl), [EPERM; 6]);

    let prctl = |option: i32| call("prctl", &[option as u64]);
    let allowed =
        [libc::PR_SET_NAME, libc::PR_GET_DUMPABLE, libc::PR_SET_VMA, libc::PR_SET_NO_NEW_PRIVS];
    assert_eq!(allowed.map(prctl), [ALLOW; 4]);
    let refused = [
        libc::PR_SET_PDEATHSIG,
        libc::PR_SET_DUMPABLE,
        libc::PR_SET_PTRACER,
        libc::PR_SET_MM,
        libc::PR_SET_SECCOMP,
    ];
    assert_eq!(refused.map(prctl), [EPERM; 5]);
}
