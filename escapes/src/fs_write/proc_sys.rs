//! Open a setting of the kernel for writing. What belongs to the whole machine is held open and never
//! written; what is the program's own is written and put back.

use crate::kernel::hold;
use fixtures::watch::state::SACRIFICE;
use harness::escape::{Escape, Need};
use harness::scene::Scene;
use std::fs;
use std::io;

const SETTING: Escape = Escape {
    techniques: &["FW-PROCSYS"],
    references: &[
        "https://man7.org/linux/man-pages/man5/proc_sys.5.html",
        "https://github.com/NVIDIA/OpenShell/issues/578",
    ],
    ..hold::FOR_WRITING
};

pub(super) const ESCAPES: &[Escape] = &[
    Escape {
        id: "fs-write/proc-sys",
        summary: "Hold a setting of the memory of the whole machine open for writing",
        needs: &[Need::File("/proc/sys/vm/overcommit_memory")],
        witnesses: &["landlock/write-file", "hook/open"],
        native: Some(|scene| hold::for_writing(scene, "/proc/sys/vm/overcommit_memory")),
        python: Some(include_str!("proc_sys.py")),
        ..SETTING
    },
    Escape {
        id: "fs-write/proc-sys.trigger",
        summary: "Hold the place open for writing at which the machine can be stopped",
        needs: &[Need::File("/proc/sysrq-trigger")],
        witnesses: &["landlock/write-file", "hook/open"],
        native: Some(|scene| hold::for_writing(scene, "/proc/sysrq-trigger")),
        ..SETTING
    },
    Escape {
        id: "fs-write/proc-sys.control-group",
        summary: "Hold the list of a control group's processes open for writing, to leave the own one",
        references: &["https://man7.org/linux/man-pages/man7/cgroups.7.html", "CVE-2022-0492"],
        needs: &[Need::File("/sys/fs/cgroup/cgroup.procs")],
        witnesses: &["landlock/write-file", "hook/open"],
        native: Some(|scene| hold::for_writing(scene, "/sys/fs/cgroup/cgroup.procs")),
        ..SETTING
    },
    Escape {
        id: "fs-write/proc-sys.controller",
        summary: "Hold the list of a controller's processes open for writing, to leave the own bounds",
        references: &["https://man7.org/linux/man-pages/man7/cgroups.7.html", "CVE-2022-0492"],
        needs: &[Need::File("/sys/fs/cgroup/pids/cgroup.procs")],
        witnesses: &["landlock/write-file"],
        native: Some(|scene| hold::for_writing(scene, "/sys/fs/cgroup/pids/cgroup.procs")),
        ..SETTING
    },
    Escape {
        id: "fs-write/proc-sys.sleep",
        summary: "Hold the place open for writing at which the machine is put to sleep",
        references: &["https://docs.kernel.org/admin-guide/pm/sleep-states.html"],
        needs: &[Need::File("/sys/power/state")],
        witnesses: &["landlock/write-file"],
        native: Some(|scene| hold::for_writing(scene, "/sys/power/state")),
        ..SETTING
    },
    Escape {
        id: "fs-write/proc-sys.sacrifice",
        summary: "Be spared when memory runs out, or be the first to go",
        references: &["https://man7.org/linux/man-pages/man5/proc_pid_oom_score_adj.5.html"],
        decoys: &[SACRIFICE],
        witnesses: &["landlock/read-file", "landlock/truncate", "landlock/write-file", "hook/open"],
        native: Some(sacrifice),
        python: Some(include_str!("proc_sys.sacrifice.py")),
        ..SETTING
    },
];

/// Any user may raise the own score, and lower it again to what it was.
fn sacrifice(scene: &Scene) -> io::Result<Vec<u8>> {
    const SCORE: &str = "/proc/self/oom_score_adj";
    let before = fs::read_to_string(SCORE)?;
    scene.show("baseline")?;
    fs::write(SCORE, "777")?;
    let shown = scene.show("check");
    fs::write(SCORE, before)?;
    shown?;
    Ok(Vec::new())
}
