//! Linux. What a backend can do on this host, by behaviour: a throw-away child takes the production
//! steps and tries one act for each protection. The same acts are tried in a bare child, so that a
//! denial which the host gives anyway is not taken for the sandbox's.

use crate::launch::{Attempted, Prepared};
use crate::layered::Layered;
use crate::policy::Policy;
use crate::protection::{Protection, Seen, State, Support};
use std::ffi::CString;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

/// Probes the protections that a backend claims.
pub(crate) fn probe(backend: &Layered, claims: &[Protection]) -> Support {
    let seen = |protection: &Protection, state| Seen { protection: *protection, state };
    let answers = answers(backend);
    Support {
        protections: claims
            .iter()
            .map(|protection| match &answers {
                Ok((confined, bare)) => seen(protection, judge(*protection, confined, bare)),
                Err(why) => seen(protection, State::Unavailable(why.clone())),
            })
            .collect(),
    }
}

/// What the acts answered under the backend and in a bare child.
fn answers(backend: &Layered) -> Result<(Vec<isize>, Vec<isize>), String> {
    let folder = tempfile::Builder::new()
        .prefix("escapology-support-")
        .tempdir()
        .map_err(|error| format!("mkdtemp: {error}"))?;
    let base = folder.path().canonicalize().map_err(|error| format!("realpath: {error}"))?;
    let run = base.join("run");
    std::fs::create_dir(&run).map_err(|error| format!("mkdir {run:?}: {error}"))?;
    let decoy = base.join("decoy");
    std::fs::write(&decoy, b"decoy").map_err(|error| format!("write {decoy:?}: {error}"))?;
    let policy = Policy::builder().build().map_err(|error| error.to_string())?;
    let path = CString::new(decoy.as_os_str().as_bytes()).map_err(|error| error.to_string())?;
    let acts = acts(&path);
    let bare = try_under(&crate::none::none(), &policy, &run, &acts)?;
    let confined = try_under(backend, &policy, &run, &acts)?;
    Ok((confined, bare))
}

fn try_under(
    backend: &Layered,
    policy: &Policy,
    run: &Path,
    acts: &[Act],
) -> Result<Vec<isize>, String> {
    let enforcement = backend.enforcement(policy).map_err(|error| error.to_string())?;
    let prepared = Prepared::new(enforcement).map_err(|error| error.to_string())?;
    let attempted: Vec<Attempted> =
        acts.iter().map(|act| Attempted { number: act.number, arguments: act.arguments }).collect();
    prepared.attempt(run, &attempted).map_err(|error| error.to_string())
}

/// One call that must be denied.
struct Act {
    number: i64,
    arguments: [usize; 6],
}

/// The acts, in the order of [`Protection::ALL`].
fn acts(decoy: &CString) -> [Act; 11] {
    let here = libc::AT_FDCWD as usize;
    let path = decoy.as_ptr() as usize;
    let parent = std::process::id() as usize;
    let act = |number, arguments| Act { number, arguments };
    let read = (libc::O_RDONLY | libc::O_CLOEXEC) as usize;
    let write = (libc::O_WRONLY | libc::O_CLOEXEC) as usize;
    [
        act(libc::SYS_openat, [here, path, read, 0, 0, 0]),
        act(libc::SYS_openat, [here, path, write, 0, 0, 0]),
        act(libc::SYS_setxattr, [path, c"user.decoy".as_ptr() as usize, path, 1, 0, 0]),
        act(libc::SYS_clone, [libc::SIGCHLD as usize, 0, 0, 0, 0, 0]),
        act(libc::SYS_execve, [c"/".as_ptr() as usize, 0, 0, 0, 0, 0]),
        act(libc::SYS_socket, [libc::AF_INET as usize, libc::SOCK_STREAM as usize, 0, 0, 0, 0]),
        act(libc::SYS_kill, [parent, 0, 0, 0, 0, 0]),
        act(libc::SYS_memfd_create, [c"probe".as_ptr() as usize, 1, 0, 0, 0, 0]),
        act(libc::SYS_fcntl, [2, libc::F_GETFD as usize, 0, 0, 0, 0]),
        act(libc::SYS_getpid, [0; 6]),
        act(libc::SYS_prctl, [libc::PR_GET_NO_NEW_PRIVS as usize, 0, 0, 0, 0, 0]),
    ]
}

/// Whether the answers show the protection.
fn judge(protection: Protection, confined: &[isize], bare: &[isize]) -> State {
    let index = Protection::ALL.iter().position(|known| *known == protection).unwrap_or(0);
    let (Some(confined), Some(bare)) = (confined.get(index), bare.get(index)) else {
        return State::Unavailable("the probe gave no answer".to_owned());
    };
    let eacces = -(libc::EACCES as isize);
    let eperm = -(libc::EPERM as isize);
    let enotsup = -(libc::EOPNOTSUPP as isize);
    match protection {
        // The errno that the sandbox gives, where the bare child was answered otherwise.
        Protection::FileRead | Protection::FileWrite | Protection::Network => {
            denied(*confined, *bare, eacces)
        }
        // A file system without attributes gives the same errno bare, and nothing to protect.
        Protection::FileAttributes if *bare == enotsup => State::Active,
        Protection::FileAttributes => denied(*confined, *bare, enotsup),
        Protection::Spawn
        | Protection::Execute
        | Protection::OtherProcesses
        | Protection::KernelSurface => denied(*confined, *bare, eperm),
        // Checked in the launch itself, step by step: a launch that comes this far has them.
        Protection::Descriptors | Protection::Environment => State::Active,
        Protection::Capabilities if *confined == 1 => State::Active,
        Protection::Capabilities => {
            State::Unavailable("no_new_privs is not set in the program".to_owned())
        }
    }
}

fn denied(confined: isize, bare: isize, wanted: isize) -> State {
    if confined == wanted && bare != wanted {
        State::Active
    } else {
        State::Unavailable(format!(
            "the act answered {confined} confined and {bare} bare, not {wanted}"
        ))
    }
}
