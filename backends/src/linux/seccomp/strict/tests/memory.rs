//! Memory that others may share: words that are waited at, pages, and what is advised of them.

use super::*;

#[test]
fn a_futex_of_another_s_is_at_most_waited_and_woken_at() {
    let futex = |operation: i32| call("futex", &[0x1000, operation as u64]);
    let (private, clock) = (libc::FUTEX_PRIVATE_FLAG, libc::FUTEX_CLOCK_REALTIME);
    let shared = [libc::FUTEX_WAIT, libc::FUTEX_WAKE, libc::FUTEX_WAIT_BITSET | clock];
    assert_eq!(shared.map(futex), [ALLOW; 3]);
    assert_eq!(shared.map(|operation| futex(operation | private)), [ALLOW; 3]);
    let others = [
        libc::FUTEX_REQUEUE,
        libc::FUTEX_CMP_REQUEUE,
        libc::FUTEX_WAKE_OP,
        libc::FUTEX_WAKE_BITSET,
    ];
    assert_eq!(others.map(futex), [ENOSYS; 4]);
    assert_eq!(others.map(|operation| futex(operation | private)), [ALLOW; 4]);
    assert_eq!(others.map(|operation| futex(operation | clock)), [ENOSYS; 4]);
}

#[test]
fn a_futex_whose_word_names_a_thread_is_refused_wherever_it_lies() {
    let futex = |operation: i32| call("futex", &[0x1000, operation as u64]);
    let (private, clock) = (libc::FUTEX_PRIVATE_FLAG, libc::FUTEX_CLOCK_REALTIME);
    assert_eq!(futex(libc::FUTEX_CMP_REQUEUE | private), ALLOW);
    let naming = [
        libc::FUTEX_LOCK_PI,
        libc::FUTEX_UNLOCK_PI,
        libc::FUTEX_TRYLOCK_PI,
        libc::FUTEX_WAIT_REQUEUE_PI,
        libc::FUTEX_CMP_REQUEUE_PI,
        libc::FUTEX_LOCK_PI2,
    ];
    for flags in [0, private, clock, private | clock] {
        assert_eq!(naming.map(|operation| futex(operation | flags)), [ENOSYS; 6]);
    }
    // Of what comes after them nobody knows what it names.
    for operation in libc::FUTEX_LOCK_PI2 + 1..=private - 1 {
        assert_eq!(futex(operation | private), ENOSYS);
    }
}

#[test]
fn what_others_have_in_memory_is_neither_told_nor_thrown_out() {
    let transfer = |name, flags: i32| call(name, &[3, 0x1000, 1, 0, 0, flags as u64]);
    for name in ["preadv2", "pwritev2"] {
        assert_eq!([0, libc::RWF_SYNC].map(|flags| transfer(name, flags)), [ALLOW; 2], "{name}");
        // RWF_NOAPPEND, RWF_ATOMIC, RWF_DONTCACHE.
        for flags in [libc::RWF_NOWAIT, libc::RWF_HIPRI, 0x20, 0x40, 0x80] {
            assert_eq!(transfer(name, flags), ENOTSUP, "{name} {flags:x}");
        }
    }
    let file = |advice: i32| call("fadvise64", &[3, 0, 0, advice as u64]);
    assert_eq!(file(libc::POSIX_FADV_SEQUENTIAL), ALLOW);
    let success = Action::Errno(Errno::Success);
    assert_eq!([libc::POSIX_FADV_DONTNEED, 6, 7].map(file), [success; 3]);
    let memory = |advice: i32| call("madvise", &[0x1000, 4096, advice as u64]);
    assert_eq!([libc::MADV_DONTNEED, libc::MADV_HUGEPAGE, libc::MADV_FREE].map(memory), [ALLOW; 3]);
    let refused = [libc::MADV_MERGEABLE, libc::MADV_COLD, libc::MADV_PAGEOUT, libc::MADV_HWPOISON];
    assert_eq!(refused.map(memory), [EPERM; 4]);
    let map = |flags: i32| call("mmap", &[0, 4096, 3, flags as u64]);
    let own = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS;
    assert_eq!([own, libc::MAP_SHARED].map(map), [ALLOW; 2]);
    // One gigabyte, by the size in the upper bits.
    assert_eq!(
        [own | libc::MAP_HUGETLB, own | libc::MAP_HUGE_1GB | libc::MAP_HUGETLB].map(map),
        [EPERM; 2]
    );
}
