//! Linux. What is known of the host, as plain data.

use crate::escape::Need;
use backends::sys::kernel;
use reports::record::{HostFacts, Landlock};
use std::fs;
use std::path::Path;

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
        landlock: Landlock {
            abi: kernel::landlock_abi().ok().and_then(|abi| abi.try_into().ok()).unwrap_or(0),
            errata: kernel::landlock_errata()
                .ok()
                .and_then(|bits| bits.try_into().ok())
                .unwrap_or(0),
        },
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

fn words(path: &str, separator: char) -> Option<Vec<String>> {
    let text = fs::read_to_string(path).ok()?;
    Some(text.trim().split(separator).map(str::to_owned).collect())
}

/// By the kernel's own switches: the upper bound, and Debian's and Ubuntu's.
fn user_namespaces() -> Option<bool> {
    let number = |path| fs::read_to_string(path).ok()?.trim().parse::<u64>().ok();
    let most = number("/proc/sys/user/max_user_namespaces")?;
    let debian = number("/proc/sys/kernel/unprivileged_userns_clone").unwrap_or(1);
    let ubuntu = number("/proc/sys/kernel/apparmor_restrict_unprivileged_userns").unwrap_or(0);
    Some(most > 0 && debian == 1 && ubuntu == 0)
}

/// The effective capabilities of this process.
fn capabilities() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("CapEff:"))?;
    u64::from_str_radix(line.trim(), 16).ok()
}

/// Why an act that needs this is impossible here, if it is.
pub fn lacks(need: Need) -> Option<String> {
    match need {
        Need::Linux => (std::env::consts::OS != "linux").then(|| "needs Linux".to_owned()),
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
        Need::Program(name) => {
            let found = ["/usr/local/bin", "/usr/bin", "/bin", "/usr/sbin", "/sbin"]
                .iter()
                .any(|folder| Path::new(folder).join(name).is_file());
            (!found).then(|| format!("no program {name} here"))
        }
    }
}
