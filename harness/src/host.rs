//! What is known of the host, as plain data.

#[cfg(target_os = "linux")]
#[path = "host/linux.rs"]
mod system;
#[cfg(target_os = "macos")]
#[path = "host/macos.rs"]
mod system;

use crate::escape::Need;
use reports::record::HostFacts;
use std::path::Path;
use system::{capabilities, user_namespaces, words};

/// Gathers the facts of this host.
pub fn facts() -> HostFacts {
    let name = nix::sys::utsname::uname().ok();
    let text = |part: Option<&std::ffi::OsStr>| {
        part.map(|part| part.to_string_lossy().into_owned()).unwrap_or_default()
    };
    HostFacts {
        system: std::env::consts::OS.to_owned(),
        kernel: text(name.as_ref().map(|name| name.release())),
        architecture: text(name.as_ref().map(|name| name.machine())),
        landlock: system::landlock(),
        seccomp_actions: words("/proc/sys/kernel/seccomp/actions_avail", ' ')
            .unwrap_or_default()
            .into_iter()
            .collect(),
        security_modules: words("/sys/kernel/security/lsm", ','),
        user_namespaces: user_namespaces(),
        uid: nix::unistd::geteuid().as_raw(),
        capabilities: capabilities().map(|set| format!("{set:016x}")).unwrap_or_default(),
    }
}

/// Why an act that needs this is impossible here, if it is.
pub fn lacks(need: Need) -> Option<String> {
    match need {
        Need::Linux => (std::env::consts::OS != "linux").then(|| "needs Linux".to_owned()),
        Need::MacOs => (std::env::consts::OS != "macos").then(|| "needs macOS".to_owned()),
        Need::Architecture(name) => (std::env::consts::ARCH != name)
            .then(|| format!("needs {name}, this is {}", std::env::consts::ARCH)),
        Need::Capability(number, name) => {
            let held = capabilities().is_some_and(|set| set >> number & 1 == 1);
            (!held).then(|| format!("needs {name}, which this user does not have"))
        }
        Need::OrdinaryUser => {
            nix::unistd::geteuid().is_root().then(|| "needs a user other than root".to_owned())
        }
        Need::File(path) => (!Path::new(path).exists()).then(|| format!("no {path} here")),
        Need::Setting(path, value) => {
            let found = std::fs::read_to_string(path).unwrap_or_default();
            (found.trim() != value).then(|| format!("{path} is {:?}, not {value:?}", found.trim()))
        }
        Need::Program(name) => {
            let found = ["/usr/local/bin", "/usr/bin", "/bin", "/usr/sbin", "/sbin"]
                .iter()
                .any(|folder| Path::new(folder).join(name).is_file());
            (!found).then(|| format!("no program {name} here"))
        }
    }
}
