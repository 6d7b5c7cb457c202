//! What is known of the host, as plain data.

#[cfg(target_os = "linux")]
#[path = "host/linux.rs"]
mod system;
#[cfg(target_os = "macos")]
#[path = "host/macos.rs"]
mod system;

use crate::escape::Need;
use reports::record::{HostFacts, User};
use std::fs;
use std::io::Read;
use std::os::unix::fs::MetadataExt;
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
        user: user(),
        capabilities: capabilities().map(|set| format!("{set:016x}")).unwrap_or_default(),
    }
}

/// `CAP_MKNOD` of capability.h.
const MKNOD: u8 = 27;

/// The inode number of the initial user namespace of Linux (`USER_NS_INIT_INO` in linux/nsfs.h).
const INITIAL: u64 = 0xEFFF_FFFD;

/// What kind of user this is. Where the namespace cannot be looked at it is taken for the initial one,
/// which asks for more.
pub fn user() -> User {
    let namespace = fs::metadata("/proc/self/ns/user").map_or(INITIAL, |found| found.ino());
    match (namespace == INITIAL, nix::unistd::geteuid().is_root()) {
        (false, _) => User::InUserNamespace,
        (true, true) => User::Root,
        (true, false) => User::Ordinary,
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
            // Only the initial user namespace makes device nodes (`vfs_mknod` in fs/namei.c).
            if number == MKNOD && user() == User::InUserNamespace {
                return Some(format!("needs {name} over the host, this is a user namespace"));
            }
            let held = capabilities().is_some_and(|set| set >> number & 1 == 1);
            (!held).then(|| format!("needs {name}, which this user does not have"))
        }
        Need::HostUser => (user() == User::InUserNamespace)
            .then(|| "needs a user of the host, this is one of a user namespace".to_owned()),
        Need::SecondUser => {
            let users = fs::read_to_string("/proc/self/uid_map").unwrap_or_default();
            let lines: Vec<&str> = users.lines().collect();
            let alone =
                matches!(lines.as_slice(), [line] if line.split_whitespace().nth(2) == Some("1"));
            alone.then(|| "needs a second user, this user namespace has one".to_owned())
        }
        Need::OrdinaryUser => {
            nix::unistd::geteuid().is_root().then(|| "needs a user other than root".to_owned())
        }
        Need::File(path) => (!Path::new(path).exists()).then(|| format!("no {path} here")),
        Need::Image(path) => {
            let mut start = [0; 4];
            let read = fs::File::open(path).and_then(|mut file| file.read_exact(&mut start));
            match read {
                Ok(()) if start == *b"\x7fELF" => None,
                Ok(()) => Some(format!("{path} is no ELF image")),
                Err(error) => Some(format!("{path}: {error}")),
            }
        }
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

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn an_image_is_told_from_a_script_and_from_nothing() {
        assert_eq!(lacks(Need::Image("/proc/self/exe")), None);
        let script = lacks(Need::Image("/proc/self/status"));
        assert_eq!(script.as_deref(), Some("/proc/self/status is no ELF image"));
        assert!(lacks(Need::Image("/nonexistent")).is_some());
        assert!(lacks(Need::File("/proc/self/status")).is_none());
    }
}
