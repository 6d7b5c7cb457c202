//! Change what is mounted where: a path then leads to something else than the policy meant. Everything
//! happens in an own tree of mounts, from which nothing comes back to the host.

use crate::raw;
use fixtures::watch::state::MOUNTS;
use harness::escape::{Escape, Layer, Need};
use harness::scene::Scene;
use harness::twin::Twin;
use nix::sched::{CloneFlags, unshare};
use std::ffi::CString;
use std::fs;
use std::io;
use std::os::unix::ffi::OsStringExt;

const MOUNT: Escape = Escape {
    techniques: &["KP-MOUNT"],
    references: &["https://man7.org/linux/man-pages/man2/mount.2.html"],
    decoys: &[MOUNTS],
    stops: &[Layer::Landlock, Layer::Seccomp],
    twin: Twin::OwnTree,
    ..Escape::BLANK
};

/// What root needs for it, who is root of the host.
const ROOT: Escape = Escape {
    needs: &[Need::Capability(21, "CAP_SYS_ADMIN")],
    stops: &[Layer::Landlock, Layer::Seccomp, Layer::Hygiene],
    ..MOUNT
};

pub(super) const ESCAPES: &[Escape] = &[
    Escape {
        id: "kernel/mount",
        summary: "Mount a file system onto a directory",
        witnesses: &["hygiene/capabilities", "layer/landlock", "seccomp/mount", "seccomp/unshare"],
        native: Some(|scene| {
            alone(scene, CloneFlags::CLONE_NEWNS, |scene| {
                covered(scene, |place| mount(c"none", place, c"tmpfs", 0))
            })
        }),
        ..ROOT
    },
    Escape {
        id: "kernel/mount.bind",
        summary: "Make the directory outside appear within the run directory",
        witnesses: &["hygiene/capabilities", "layer/landlock", "seccomp/mount", "seccomp/unshare"],
        stops: &[Layer::Landlock, Layer::Seccomp, Layer::Hygiene, Layer::MountNamespace],
        native: Some(|scene| {
            alone(scene, CloneFlags::CLONE_NEWNS, |scene| {
                let outside = CString::new(scene.path("outside")?.into_os_string().into_vec())?;
                covered(scene, |place| mount(&outside, place, c"none", libc::MS_BIND))
            })
        }),
        ..ROOT
    },
    Escape {
        id: "kernel/mount.attributes",
        summary: "Change the attributes of the root's mount, which Landlock does not refuse",
        references: &["https://man7.org/linux/man-pages/man2/mount_setattr.2.html"],
        stops: &[Layer::Seccomp, Layer::Hygiene],
        witnesses: &["hygiene/capabilities", "seccomp/mount_setattr", "seccomp/unshare"],
        native: Some(|scene| {
            unshare(CloneFlags::CLONE_NEWNS)?;
            scene.show("baseline")?;
            // `struct mount_attr`: `MOUNT_ATTR_NODIRATIME` set, nothing cleared.
            let attributes: [u64; 4] = [0x80, 0, 0, 0];
            let (path, here) = (c"/".as_ptr() as usize, libc::AT_FDCWD as usize);
            let place = attributes.as_ptr() as usize;
            let arguments = [here, path, 0, place, size_of_val(&attributes), 0];
            raw::call(libc::SYS_mount_setattr, arguments)?;
            scene.show("check")?;
            Ok(Vec::new())
        }),
        ..ROOT
    },
    Escape {
        id: "kernel/mount.away",
        summary: "Take away what is mounted, so that what it covered shows again",
        references: &["https://man7.org/linux/man-pages/man2/umount.2.html"],
        witnesses: &[
            "hygiene/capabilities",
            "layer/landlock",
            "seccomp/mount",
            "seccomp/umount2",
            "seccomp/unshare",
        ],
        native: Some(|scene| {
            alone(scene, CloneFlags::CLONE_NEWNS, |scene| {
                scene.show("baseline")?;
                let (path, how) = (c"/proc".as_ptr() as usize, libc::MNT_DETACH as usize);
                raw::call(libc::SYS_umount2, [path, how, 0, 0, 0, 0])?;
                scene.show("check")?;
                Ok(Vec::new())
            })
        }),
        ..ROOT
    },
    Escape {
        id: "kernel/mount.user",
        summary: "Mount a file system onto a directory as root of an own user namespace",
        techniques: &["KP-MOUNT", "KP-USERNS"],
        witnesses: &["layer/landlock", "seccomp/mount", "seccomp/unshare"],
        // As for user namespaces: who is not confined is refused where everybody is.
        absent: &[libc::ENOSYS, libc::EPERM, libc::EINVAL, libc::ENOSPC],
        native: Some(|scene| {
            let both = CloneFlags::CLONE_NEWUSER | CloneFlags::CLONE_NEWNS;
            alone(scene, both, |scene| covered(scene, |place| mount(c"none", place, c"tmpfs", 0)))
        }),
        ..MOUNT
    },
];

/// Leaves the host's mounts for good, and sees to it that nothing comes back to them.
fn alone(
    scene: &Scene,
    namespaces: CloneFlags,
    act: impl FnOnce(&Scene) -> io::Result<Vec<u8>>,
) -> io::Result<Vec<u8>> {
    unshare(namespaces)?;
    mount(c"none", c"/", c"none", libc::MS_REC | libc::MS_SLAVE)?;
    act(scene)
}

/// Shows a directory before and after something was mounted onto it.
fn covered(
    scene: &Scene,
    cover: impl FnOnce(&std::ffi::CStr) -> io::Result<()>,
) -> io::Result<Vec<u8>> {
    let place = scene.run().join("covered");
    fs::create_dir(&place)?;
    let path = CString::new(place.clone().into_os_string().into_vec())?;
    scene.show("baseline")?;
    cover(&path)?;
    scene.show("check")?;
    raw::call(libc::SYS_umount2, [path.as_ptr() as usize, 0, 0, 0, 0, 0])?;
    fs::remove_dir(place)?;
    Ok(Vec::new())
}

fn mount(
    source: &std::ffi::CStr,
    place: &std::ffi::CStr,
    kind: &std::ffi::CStr,
    flags: libc::c_ulong,
) -> io::Result<()> {
    let [source, place, kind] = [source, place, kind].map(|text| text.as_ptr() as usize);
    raw::call(libc::SYS_mount, [source, place, kind, flags as usize, 0, 0]).map(|_done| ())
}
