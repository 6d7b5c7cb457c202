//! Name the helper that the kernel starts as root outside every sandbox: for a module, for a core, for a
//! strange executable, for a device. The place is held open for writing and nothing is written there.

use crate::kernel::hold;
use harness::escape::{Escape, Need};

const HELPER: Escape = Escape {
    techniques: &["EX-BINFMT"],
    references: &["https://docs.kernel.org/admin-guide/sysctl/kernel.html", "CWE-732"],
    ..hold::FOR_WRITING
};

pub(super) const ESCAPES: &[Escape] = &[
    Escape {
        id: "exec/kernel-helper",
        summary: "Hold the name of the helper open that the kernel starts to load a module",
        needs: &[Need::File("/proc/sys/kernel/modprobe")],
        witnesses: &["landlock/write-file", "hook/open"],
        native: Some(|scene| hold::for_writing(scene, "/proc/sys/kernel/modprobe")),
        ..HELPER
    },
    Escape {
        id: "exec/kernel-helper.core",
        summary: "Hold the name of the helper open that the kernel starts for a core",
        references: &[
            "https://man7.org/linux/man-pages/man5/core.5.html",
            "https://github.com/NVIDIA/OpenShell/issues/578",
        ],
        needs: &[Need::File("/proc/sys/kernel/core_pattern")],
        witnesses: &["landlock/write-file", "hook/open"],
        native: Some(|scene| hold::for_writing(scene, "/proc/sys/kernel/core_pattern")),
        python: Some(include_str!("kernel_helper.core.py")),
        ..HELPER
    },
    Escape {
        id: "exec/kernel-helper.format",
        summary: "Hold the list of interpreters open that the kernel starts for other kinds of executables",
        references: &["https://docs.kernel.org/admin-guide/binfmt-misc.html"],
        needs: &[Need::File("/proc/sys/fs/binfmt_misc/register")],
        witnesses: &["landlock/write-file", "hook/open"],
        native: Some(|scene| hold::for_writing(scene, "/proc/sys/fs/binfmt_misc/register")),
        ..HELPER
    },
    Escape {
        id: "exec/kernel-helper.power",
        summary: "Hold the name of the helper open that the kernel starts to switch the machine off",
        needs: &[Need::File("/proc/sys/kernel/poweroff_cmd")],
        witnesses: &["landlock/write-file"],
        native: Some(|scene| hold::for_writing(scene, "/proc/sys/kernel/poweroff_cmd")),
        ..HELPER
    },
    Escape {
        id: "exec/kernel-helper.device",
        summary: "Hold the name of the helper open that the kernel starts for a new device",
        needs: &[Need::File("/sys/kernel/uevent_helper")],
        witnesses: &["landlock/write-file", "hook/open"],
        native: Some(|scene| hold::for_writing(scene, "/sys/kernel/uevent_helper")),
        ..HELPER
    },
];
