//! Linux. The bundle of one container: its description as data, and the folder that a runtime reads it from.
//!
//! The root is made of bind mounts of what the policy grants, each under its own path, and of nothing else;
//! what discovery finds a program to need is granted, so that the system directories are among it.

use super::engine::Engine;
use super::filter::seccomp;
use crate::command::Command;
use crate::enforcement::{Shown, View};
use crate::launch::{LaunchError, limit};
use crate::linux::seccomp::Filter;
use crate::policy::{Bound, Kind, Limits, Place, RUN};
use nix::sys::resource::Resource;
use nix::sys::statvfs::{FsFlags, statvfs};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::fs::{self, DirBuilder};
use std::io;
use std::os::unix::fs::{DirBuilderExt, symlink};
use std::path::{Path, PathBuf};

/// The devices that every runtime makes, and that a policy may name.
const DEVICES: [&str; 6] =
    ["/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom", "/dev/tty"];

/// What of `/proc` tells of the host or reaches it, as `runc spec` lists it.
const MASKED: [&str; 10] = [
    "/proc/acpi",
    "/proc/asound",
    "/proc/kcore",
    "/proc/keys",
    "/proc/latency_stats",
    "/proc/timer_list",
    "/proc/timer_stats",
    "/proc/sched_debug",
    "/proc/scsi",
    "/sys/firmware",
];

/// What of `/proc` changes the host, likewise. The owner of these files is root, also without capabilities.
const READ_ONLY: [&str; 6] =
    ["/proc/bus", "/proc/fs", "/proc/irq", "/proc/sys", "/proc/sysrq-trigger", "/proc/tty"];

/// A policy as a container keeps it: everything of its description that does not depend on the program.
#[derive(Clone, Debug)]
pub(super) struct Description {
    pub(super) view: View,
    pub(super) filter: Filter,
    pub(super) environment: BTreeMap<String, String>,
    pub(super) limits: Limits,
    pub(super) engine: Engine,
}

/// A granted place that a container cannot hold.
#[derive(Debug, thiserror::Error)]
#[error("{0:?} is granted, and of /dev a container has only the devices that hold nothing")]
pub(super) struct Device(String);

impl Description {
    /// Leaves the devices to the runtime, which makes them in a `/dev` of the container's own.
    pub(super) fn of(mut self) -> Result<Self, Device> {
        let mut other = None;
        self.view.places.retain(|place, _| match place {
            Place::Path(path) if DEVICES.contains(&path.as_str()) => false,
            Place::Path(path) if Path::new(path).starts_with("/dev") => {
                other = Some(path.clone());
                true
            }
            Place::Path(_) | Place::Run | Place::Program => true,
        });
        self.view.links.retain(|link, _| !Path::new(link).starts_with("/dev"));
        other.map_or(Ok(self), |path| Err(Device(path)))
    }

    /// Every place of one program by its path, a directory before what lies in it.
    fn places(&self, command: &Command) -> BTreeMap<PathBuf, Shown> {
        let path = |place: &Place| match place {
            Place::Run => Some(command.run_directory.clone()),
            Place::Program => command.program_text.clone(),
            Place::Path(path) => Some(path.into()),
        };
        let places = self.view.places.iter();
        places.filter_map(|(place, shown)| Some((path(place)?, *shown))).collect()
    }

    /// `config.json`, as <https://github.com/opencontainers/runtime-spec> describes it.
    pub(super) fn config(&self, command: &Command) -> Result<Value, LaunchError> {
        let run = text(command.run_directory.as_os_str())?;
        let environment: Vec<String> = self
            .environment
            .iter()
            .map(|(name, value)| format!("{name}={}", value.replace(RUN, run)))
            .collect();
        let zeroth = self.zeroth(command);
        let rest = command.arguments.iter().map(OsString::as_os_str);
        let arguments =
            std::iter::once(zeroth).chain(rest).map(text).collect::<Result<Vec<&str>, _>>()?;
        let (masked, read_only): (&[&str], &[&str]) =
            if self.has_proc() { (&MASKED, &READ_ONLY) } else { (&[], &[]) };
        let nothing: [&str; 0] = [];
        Ok(json!({
            "ociVersion": "1.0.2",
            "process": {
                "terminal": false,
                // The user who started it, in a user namespace where nobody else exists.
                "user": { "uid": 0, "gid": 0, "umask": 0o022 },
                "args": arguments,
                "env": environment,
                "cwd": run,
                "capabilities": {
                    "bounding": nothing,
                    "effective": nothing,
                    "permitted": nothing,
                    "inheritable": nothing,
                    "ambient": nothing,
                },
                "rlimits": self.rlimits(),
                "noNewPrivileges": true,
            },
            "root": { "path": self.engine.root(), "readonly": true },
            "hostname": "container",
            "mounts": self.mounts(command)?,
            "linux": {
                "namespaces": [
                    { "type": "pid" },
                    { "type": "network" },
                    { "type": "ipc" },
                    { "type": "uts" },
                    { "type": "mount" },
                ],
                "seccomp": seccomp(&self.filter),
                "maskedPaths": masked,
                "readonlyPaths": read_only,
            },
        }))
    }

    /// The zeroth argument is the path that a runtime executes, too. A link to the program is one if the
    /// container has it.
    fn zeroth<'a>(&self, command: &'a Command) -> &'a OsStr {
        let leads_there = |name: &&OsStr| {
            let known = name.to_str().is_some_and(|name| self.view.links.contains_key(name));
            known && fs::canonicalize(name).is_ok_and(|real| real == command.program)
        };
        let asked = command.argument0.as_deref().filter(leads_there);
        asked.unwrap_or(command.program.as_os_str())
    }

    fn has_proc(&self) -> bool {
        self.engine.runtime().needs_proc()
    }

    fn mounts(&self, command: &Command) -> Result<Vec<Value>, LaunchError> {
        let device_options = ["ro", "nosuid", "noexec", "strictatime", "mode=755", "size=64k"];
        let mut mounts = vec![json!({
            "destination": "/dev", "type": "tmpfs", "source": "tmpfs", "options": device_options,
        })];
        if self.has_proc() {
            let options = ["nosuid", "noexec", "nodev"];
            mounts.push(json!({
                "destination": "/proc", "type": "proc", "source": "proc", "options": options,
            }));
        }
        for (path, shown) in self.places(command) {
            // Of a directory also what is mounted below it; a runtime takes a file for none.
            let (mut options, read, noexec) = match shown.kind {
                Kind::Directory => (vec!["rbind", "rnosuid", "rnodev"], "rro", "rnoexec"),
                Kind::File => (vec!["rbind", "nosuid", "nodev"], "ro", "noexec"),
            };
            options.push(if shown.writable { "rw" } else { read });
            // What may be written is never executed; otherwise the attributes of the host's own mount stay,
            // because a user namespace may not take one away: mount_namespaces(7).
            let locked = statvfs(&path).map(|found| found.flags()).unwrap_or(FsFlags::empty());
            if shown.writable {
                options.push(noexec);
            } else if locked.contains(FsFlags::ST_NOEXEC) {
                options.push("noexec");
            }
            let source = self.engine.source(&path);
            let (path, source) = (text(path.as_os_str())?, text(source.as_os_str())?);
            mounts.push(json!({
                "destination": path, "type": "bind", "source": source, "options": options,
            }));
        }
        Ok(mounts)
    }

    /// What the kernel bounds. The launcher watches the rest.
    fn rlimits(&self) -> Vec<Value> {
        let limits = &self.limits;
        [
            ("RLIMIT_CPU", Resource::RLIMIT_CPU, limits.cpu_seconds),
            ("RLIMIT_AS", Resource::RLIMIT_AS, limits.address_space_bytes),
            ("RLIMIT_FSIZE", Resource::RLIMIT_FSIZE, limits.file_size_bytes),
            ("RLIMIT_NOFILE", Resource::RLIMIT_NOFILE, limits.open_files),
            // As in a launch without container: one byte stops dumps to files and to pipes alike.
            ("RLIMIT_CORE", Resource::RLIMIT_CORE, Bound::At(1)),
            ("RLIMIT_SIGPENDING", Resource::RLIMIT_SIGPENDING, Bound::At(1024)),
        ]
        .into_iter()
        .filter_map(|(name, resource, bound)| {
            let value = limit(resource, bound)?.value;
            Some(json!({ "type": name, "soft": value, "hard": value }))
        })
        .collect()
    }

    /// Writes the bundle into a folder that it makes: the description, and a root of empty directories and
    /// files, onto which the places are mounted.
    pub(super) fn write(&self, folder: &Path, command: &Command) -> Result<(), LaunchError> {
        let config = self.config(command)?.to_string();
        let root = folder.join("root");
        let written = make_directory(&root)
            .and_then(|()| fs::write(folder.join("config.json"), config))
            .and_then(|()| self.skeleton(&root, command));
        written.map_err(LaunchError::resource("write the container's bundle"))
    }

    fn skeleton(&self, root: &Path, command: &Command) -> io::Result<()> {
        let places = self.places(command);
        // Only what a bind mount will not hide need be made.
        let hidden = |path: &Path| {
            path.ancestors()
                .skip(1)
                .any(|above| places.get(above).is_some_and(|shown| shown.kind == Kind::Directory))
        };
        for (path, shown) in &places {
            if hidden(path) {
                continue;
            }
            let at = inside(root, path);
            match shown.kind {
                Kind::Directory => make_directory(&at)?,
                Kind::File => {
                    at.parent().map_or(Ok(()), make_directory)?;
                    fs::write(&at, "")?;
                }
            }
        }
        for (link, target) in &self.view.links {
            let at = inside(root, Path::new(link));
            at.parent().map_or(Ok(()), make_directory)?;
            symlink(target, &at)?;
        }
        for name in ["/dev", "/proc"] {
            make_directory(&inside(root, Path::new(name)))?;
        }
        Ok(())
    }
}

fn inside(root: &Path, path: &Path) -> PathBuf {
    root.join(path.strip_prefix("/").unwrap_or(path))
}

fn make_directory(path: &Path) -> io::Result<()> {
    DirBuilder::new().recursive(true).mode(0o755).create(path)
}

/// A description is JSON, which holds text only.
pub(super) fn text(bytes: &OsStr) -> Result<&str, LaunchError> {
    bytes.to_str().ok_or_else(|| LaunchError::NotText(OsString::from(bytes)))
}
