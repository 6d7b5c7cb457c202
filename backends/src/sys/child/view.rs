//! Linux. How a child that was born in a mount namespace of its own makes it hold only what is granted:
//! a new root of empty directories, each place mounted under its own path, the old root taken away. No
//! step leaves a descriptor open, for the table is still the parent's too.

use super::plan::{ChildPlan, FileId, Shown, Step, ViewPlan, ViewStep};
use super::seen::{Stepped, expect, raw, take};
use std::ffi::CStr;
use std::mem::MaybeUninit;
use std::sync::atomic::Ordering;

const HERE: usize = libc::AT_FDCWD as usize;

/// Attributes of the new root itself, when all is in place.
const BARE: u64 = libc::MOUNT_ATTR_RDONLY
    | libc::MOUNT_ATTR_NOSUID
    | libc::MOUNT_ATTR_NODEV
    | libc::MOUNT_ATTR_NOEXEC;

/// Takes the steps of a view. Afterwards the run directory is the working directory.
pub(super) fn enter(plan: &ChildPlan, view: &ViewPlan) -> Stepped {
    identify(plan, view)?;
    root(plan, view)?;
    for (index, step) in view.all().enumerate() {
        plan.shared.shown.store(index as u32, Ordering::SeqCst);
        take_step(plan, step)?;
    }
    hide(plan, view)
}

/// The program, opened inside the view.
pub(super) fn program(plan: &ChildPlan, path: &CStr, file: FileId) -> Result<i32, (Step, isize)> {
    let flags = (libc::O_PATH | libc::O_CLOEXEC | libc::O_NOFOLLOW) as usize;
    let program = raw(libc::SYS_openat, [HERE, path.as_ptr() as usize, flags, 0, 0, 0]);
    take(Step::Execute, program)?;
    is(plan, Step::Execute, program as usize, c"", libc::AT_EMPTY_PATH, file)?;
    Ok(program as i32)
}

/// Keeps user and group in the new user namespace, user_namespaces(7).
fn identify(plan: &ChildPlan, view: &ViewPlan) -> Stepped {
    let [users, groups] = &view.maps;
    write(c"/proc/self/setgroups", c"deny")?;
    write(c"/proc/self/uid_map", users)?;
    write(c"/proc/self/gid_map", groups)?;
    expect(plan, Step::Identity, raw(libc::SYS_geteuid, [0; 6]), view.user as isize)
}

fn write(path: &CStr, text: &CStr) -> Stepped {
    let flags = (libc::O_WRONLY | libc::O_CLOEXEC) as usize;
    let file = raw(libc::SYS_openat, [HERE, path.as_ptr() as usize, flags, 0, 0, 0]);
    take(Step::Identity, file)?;
    let bytes = text.to_bytes();
    let arguments = [file as usize, bytes.as_ptr() as usize, bytes.len(), 0, 0, 0];
    let written = raw(libc::SYS_write, arguments);
    raw(libc::SYS_close, [file as usize, 0, 0, 0, 0, 0]);
    take(Step::Identity, written)
}

/// An empty root in the place of the old one, which stands in it until all is mounted. Nothing that
/// happens here is seen outside, or the other way round.
fn root(plan: &ChildPlan, view: &ViewPlan) -> Stepped {
    let top = c"/".as_ptr() as usize;
    let private = (libc::MS_REC | libc::MS_PRIVATE) as usize;
    take(Step::Root, raw(libc::SYS_mount, [0, top, 0, private, 0, 0]))?;
    let (kind, run) = (c"tmpfs".as_ptr() as usize, view.run.as_ptr() as usize);
    let flags = (libc::MS_NOSUID | libc::MS_NODEV) as usize;
    let options = c"mode=0755".as_ptr() as usize;
    take(Step::Root, raw(libc::SYS_mount, [kind, run, kind, flags, options, 0]))?;
    take(Step::Root, raw(libc::SYS_chdir, [run, 0, 0, 0, 0, 0]))?;
    let old = view.old_name.as_ptr() as usize;
    take(Step::Root, raw(libc::SYS_mkdirat, [HERE, old, 0o700, 0, 0, 0]))?;
    take(Step::Root, raw(libc::SYS_pivot_root, [c".".as_ptr() as usize, old, 0, 0, 0, 0]))?;
    take(Step::Root, raw(libc::SYS_chdir, [top, 0, 0, 0, 0, 0]))?;
    // The new root covers the run directory no more, which the old root shows at its place.
    is(plan, Step::Root, HERE, &view.old_run, libc::AT_SYMLINK_NOFOLLOW, view.run_file)
}

fn take_step(plan: &ChildPlan, step: &ViewStep) -> Stepped {
    match step {
        ViewStep::Directory(path) => {
            take(Step::Show, raw(libc::SYS_mkdirat, [HERE, at(path), 0o755, 0, 0, 0]))
        }
        ViewStep::File(path) => {
            let mode = (libc::S_IFREG | 0o444) as usize;
            take(Step::Show, raw(libc::SYS_mknodat, [HERE, at(path), mode, 0, 0, 0]))
        }
        ViewStep::Link(path, text) => {
            take(Step::Show, raw(libc::SYS_symlinkat, [at(text), HERE, at(path), 0, 0, 0]))
        }
        ViewStep::Mount(shown) => show(plan, shown),
    }
}

/// Mounts a place, and sees that it is the file that was meant, with the attributes that were meant.
fn show(plan: &ChildPlan, shown: &Shown) -> Stepped {
    let flags = (libc::MS_BIND | libc::MS_REC) as usize;
    let (source, target) = (at(&shown.source), at(&shown.target));
    take(Step::Show, raw(libc::SYS_mount, [source, target, 0, flags, 0, 0]))?;
    is(plan, Step::Show, HERE, &shown.target, libc::AT_SYMLINK_NOFOLLOW, shown.file)?;
    attribute(plan, Step::Show, &shown.target, libc::AT_RECURSIVE, shown.attributes)
}

/// Takes the old root away, closes the new one, and enters the run directory.
fn hide(plan: &ChildPlan, view: &ViewPlan) -> Stepped {
    let old = view.old.as_ptr() as usize;
    take(Step::Hide, raw(libc::SYS_umount2, [old, libc::MNT_DETACH as usize, 0, 0, 0, 0]))?;
    // A directory on which something is mounted cannot be removed, nor one that holds something.
    let remove = libc::AT_REMOVEDIR as usize;
    take(Step::Hide, raw(libc::SYS_unlinkat, [HERE, old, remove, 0, 0, 0]))?;
    attribute(plan, Step::Hide, c"/", 0, BARE)?;
    take(Step::Directory, raw(libc::SYS_chdir, [view.run.as_ptr() as usize, 0, 0, 0, 0, 0]))?;
    is(plan, Step::Directory, HERE, c".", 0, view.run_file)
}

/// `struct mount_attr`, mount_setattr(2).
#[repr(C)]
struct Attributes {
    set: u64,
    clear: u64,
    propagation: u64,
    namespace: u64,
}

/// Words of the kernel's `struct statfs` on 64-bit machines, and the place of `f_flags` among them
/// (include/uapi/asm-generic/statfs.h).
const STATFS_WORDS: usize = 15;
const STATFS_FLAGS: usize = 10;

/// Gives a mount attributes and sees that it has them.
fn attribute(
    plan: &ChildPlan,
    step: Step,
    path: &CStr,
    flags: libc::c_int,
    wanted: u64,
) -> Stepped {
    let attributes = Attributes { set: wanted, clear: 0, propagation: 0, namespace: 0 };
    let size = size_of::<Attributes>();
    let pointer = (&raw const attributes) as usize;
    take(step, raw(libc::SYS_mount_setattr, [HERE, at(path), flags as usize, pointer, size, 0]))?;
    let mut found = [0u64; STATFS_WORDS];
    take(step, raw(libc::SYS_statfs, [at(path), found.as_mut_ptr() as usize, 0, 0, 0, 0]))?;
    let held = found[STATFS_FLAGS];
    expect(plan, step, (held & wanted == wanted).into(), 1)
}

/// Sees that a path names this file.
fn is(
    plan: &ChildPlan,
    step: Step,
    directory: usize,
    path: &CStr,
    flags: libc::c_int,
    wanted: FileId,
) -> Stepped {
    let mut found = MaybeUninit::<libc::statx>::zeroed();
    let (flags, mask) = (flags as usize, libc::STATX_INO as usize);
    let pointer = found.as_mut_ptr() as usize;
    take(step, raw(libc::SYS_statx, [directory, at(path), flags, mask, pointer, 0]))?;
    // SAFETY: `statx` is plain integers, for which all-zero bytes are a value, and the kernel filled it.
    let found = unsafe { found.assume_init() };
    let file =
        FileId { major: found.stx_dev_major, minor: found.stx_dev_minor, inode: found.stx_ino };
    expect(plan, step, (file == wanted).into(), 1)
}

fn at(path: &CStr) -> usize {
    path.as_ptr() as usize
}
