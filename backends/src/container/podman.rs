//! Linux. How `podman` is driven: all that it keeps lies in the bundle, and what its runtime reads is the
//! bundle's description, word for word.
//!
//! Its command line cannot say a whole policy (it knows no bound of address space) and adds mounts and variables
//! of its own. A `precreate` hook, which podman(1) describes with `--hooks-dir`, gets the description that it
//! has made and answers with the one to be used: ours. A podman without such hooks would start nothing,
//! because the root that it is told of is empty.

use super::runtime::Runtime;
use super::traces::{failure, values};
use crate::child::Exit;
use serde::Deserialize;
use serde_json::json;
use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The container's root, where [`PREPARATION`] has put it.
pub(super) const ROOT: &str = "/run/root";

/// Where podman looks for a user's configuration and finds none.
pub(super) const HOME: &str = "/run";

/// Podman and its runtimes keep what they know of containers below `/run`, also where they are told another
/// place (its own clean-up forgets to pass it on), and its locks below `/dev/shm`. So the bundle is its `/run`.
/// The paths in it are short, too: podman takes no more than fifty bytes.
pub(super) const PREPARATION: &str = "mount --rbind /run \"$1/outside/run\" && mount --rbind /dev/shm \"$1/outside/shm\" && mount --rbind \"$1\" /run && mount -t tmpfs none /dev/shm || exit 125; shift; ";

/// Runs podman and waits for its monitor, the parent of the program: the kernel counts the processor time of a
/// child only where somebody waits for it, and ends whatever is left once this ends.
pub(super) const EXECUTION: &str = "\"$@\"; code=$?; monitor=$(cat /run/monitor 2> /dev/null); while kill -0 \"$monitor\" 2> /dev/null; do sleep 0.01; done; exit $code";

/// What [`PREPARATION`] covers, and where it can be reached after that.
const COVERED: [(&str, &str); 2] = [("/run", "/run/outside/run"), ("/dev/shm", "/run/outside/shm")];

/// Under which path the runtime finds a place of the host.
pub(super) fn source(path: &Path) -> PathBuf {
    COVERED
        .iter()
        .find_map(|(from, to)| Some(Path::new(to).join(path.strip_prefix(from).ok()?)))
        .unwrap_or_else(|| path.to_owned())
}

/// The arguments up to the end.
///
/// Where the description is replaced they say the same, as far as they can. The program gets the streams of the
/// launch themselves (`passthrough`). The profiles of SELinux and AppArmor that podman would load need a
/// root that is the host's.
pub(super) fn arguments(runtime: Runtime, name: &str) -> Vec<OsString> {
    let mut arguments: Vec<OsString> = [
        "--log-level=fatal",
        "--root=/run/storage",
        "--runroot=/run/runroot",
        "--tmpdir=/run/tmp",
        "--network-config-dir=/run/networks",
        "--hooks-dir=/run/hooks",
        "--storage-driver=vfs",
        "--cgroup-manager=cgroupfs",
        "--events-backend=file",
    ]
    .map(OsString::from)
    .into();
    arguments.extend([format!("--runtime={}", runtime.name()).into(), "run".into()]);
    // It refuses to tell runc so, which finds no control group to write.
    if runtime == Runtime::Crun {
        arguments.push("--cgroups=disabled".into());
    }
    arguments.push(format!("--name={name}").into());
    arguments.extend(
        [
            "--conmon-pidfile=/run/monitor",
            "--network=none",
            "--no-hosts",
            "--log-driver=passthrough",
            "--sig-proxy=false",
            "--read-only",
            "--read-only-tmpfs=false",
            "--cap-drop=all",
            "--security-opt=no-new-privileges",
            "--security-opt=label=disable",
            "--security-opt=apparmor=unconfined",
            "--rootfs",
            "/run/nothing",
            "/program",
        ]
        .map(OsString::from),
    );
    arguments
}

/// Puts into a bundle what podman needs beyond the description. The hook must be a program, so it is cat(1).
pub(super) fn furnish(folder: &Path, cat: &str) -> io::Result<()> {
    for name in ["nothing", "hooks", "outside/run", "outside/shm"] {
        fs::create_dir_all(folder.join(name))?;
    }
    let hook = json!({
        "version": "1.0.0",
        "hook": { "path": cat, "args": ["cat", "/run/config.json"] },
        "when": { "always": true },
        "stages": ["precreate"],
    });
    fs::write(folder.join("hooks/hook.json"), hook.to_string())
}

/// One line of podman's log of events.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Event {
    status: String,
    /// Left out where it is 0, by some versions.
    #[serde(default)]
    container_exit_code: i32,
}

/// What there is to complain of, unless podman saw a container die with the very status that it ended with. Its own
/// failures have statuses that a program may end with as well.
pub(super) fn complaint(folder: &Path, exit: Exit) -> Option<String> {
    let events: Vec<Event> = values(&folder.join("tmp/events/events.log"));
    let died: Vec<i32> = events
        .iter()
        .filter(|event| event.status == "died")
        .map(|event| event.container_exit_code)
        .collect();
    if let Exit::Code(code) = exit
        && died == [code]
    {
        return None;
    }
    let mut logs =
        fs::read_dir(folder.join("runroot/vfs-containers")).into_iter().flatten().flatten();
    let said = logs.find_map(|log| failure(&log.path().join("userdata/oci-log")));
    Some(said.unwrap_or_else(|| format!("podman tells of no container with this end: {exit:?}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_status_of_a_container_that_died_is_a_programs_end() {
        let folder = tempfile::tempdir().unwrap();
        let log = folder.path().join("tmp/events/events.log");
        fs::create_dir_all(log.parent().unwrap()).unwrap();
        let ended = |code| complaint(folder.path(), Exit::Code(code)).is_none();
        assert!(!ended(0) && !ended(126));
        fs::write(&log, "{\"Status\":\"create\"}\n").unwrap();
        assert!(!ended(0) && !ended(126));
        fs::write(&log, "{\"Status\":\"create\"}\n{\"Status\":\"died\"}\n").unwrap();
        assert!(ended(0) && !ended(126));
        fs::write(&log, "{\"Status\":\"died\",\"ContainerExitCode\":126}\n").unwrap();
        assert!(ended(126) && !ended(0));
        assert!(complaint(folder.path(), Exit::Signal(126)).is_some());
        // What the runtime tells says more.
        let container = folder.path().join("runroot/vfs-containers/one/userdata");
        fs::create_dir_all(&container).unwrap();
        fs::write(container.join("oci-log"), r#"{"msg":"broken","level":"error"}"#).unwrap();
        assert_eq!(complaint(folder.path(), Exit::Code(1)).as_deref(), Some("broken"));
        assert!(ended(126));
    }

    #[test]
    fn a_place_that_podman_has_another_of_is_found_outside() {
        let found = |path| source(Path::new(path));
        assert_eq!(found("/run/user/0/x"), Path::new("/run/outside/run/user/0/x"));
        assert_eq!(found("/dev/shm"), Path::new("/run/outside/shm"));
        assert_eq!(found("/runner"), Path::new("/runner"));
    }
}
