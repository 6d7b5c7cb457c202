//! Linux. What a backend can do on this host, by behaviour: a throw-away child takes the production
//! steps and tries one act for each protection. The same acts are tried in a bare child, so that a
//! denial which the host gives anyway is not taken for the sandbox's.

use crate::enforcement::Environment;
use crate::launch::{Attempted, Prepared};
use crate::layered::Layered;
use crate::policy::{Policy, PolicyBuilder};
use crate::protection::{Protection, Seen, State, Support};
use crate::sys::kernel;
use nix::fcntl::{FcntlArg, OFlag, fcntl};
use nix::sys::stat::Mode;
use std::ffi::CString;
use std::os::fd::{AsRawFd, RawFd};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

/// Probes the protections that a backend claims.
pub(crate) fn probe(backend: &Layered, claims: &[Protection]) -> Support {
    let seen = |protection: &Protection, state| Seen { protection: *protection, state };
    let answers = answers(backend);
    let scrubbed = Policy::builder().build().ok().is_some_and(|policy| {
        let enforcement = backend.enforcement(&policy);
        enforcement
            .is_ok_and(|enforcement| enforcement.hygiene.environment != Environment::Inherited)
    });
    Support {
        protections: claims
            .iter()
            .map(|protection| match &answers {
                Ok((confined, bare)) => {
                    seen(protection, judge(*protection, confined, bare, scrubbed))
                }
                Err(why) => seen(protection, State::Unavailable(why.clone())),
            })
            .collect(),
    }
}

/// A number that no descriptor has which a child is given for its program: it would pass for the careless one.
const ABOVE_A_LAUNCH: RawFd = 16;

/// What the acts answered under the backend and in a bare child. Nothing is made for it: the child
/// runs in the folder for temporary files and acts on what is there anyway.
fn answers(backend: &Layered) -> Result<(Vec<isize>, Vec<isize>), String> {
    let folder = std::env::temp_dir();
    let run = folder.canonicalize().map_err(|error| format!("realpath {folder:?}: {error}"))?;
    let image =
        std::env::current_exe().map_err(|error| format!("readlink /proc/self/exe: {error}"))?;
    // What may be read and not written, so that a refusal to write it is not that it cannot be seen.
    let policy = Policy::builder()
        .read(Path::new("/dev/null"))
        .and_then(PolicyBuilder::build)
        .map_err(|error| error.to_string())?;
    let image = CString::new(image.as_os_str().as_bytes()).map_err(|error| error.to_string())?;
    // A descriptor that a careless host leaves open: without close-on-exec, until this function ends.
    let null = nix::fcntl::open("/dev/null", OFlag::O_RDONLY | OFlag::O_CLOEXEC, Mode::empty())
        .map_err(|errno| format!("open \"/dev/null\": {errno}"))?;
    let careless = fcntl(&null, FcntlArg::F_DUPFD(ABOVE_A_LAUNCH))
        .map(kernel::own)
        .map_err(|errno| format!("fcntl(F_DUPFD): {errno}"))?;
    let acts = acts(&image, careless.as_raw_fd());
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

/// The acts, in the order of [`Protection::ALL`]. None changes anything where it is not denied: the
/// attribute would have to exist to be replaced.
fn acts(image: &CString, careless: RawFd) -> [Act; 12] {
    let here = libc::AT_FDCWD as usize;
    let path = image.as_ptr() as usize;
    let null = c"/dev/null".as_ptr() as usize;
    let parent = std::process::id() as usize;
    let attribute = c"user.escapology.probe".as_ptr() as usize;
    let replace = libc::XATTR_REPLACE as usize;
    let act = |number, arguments| Act { number, arguments };
    let read = (libc::O_RDONLY | libc::O_CLOEXEC) as usize;
    let write = (libc::O_WRONLY | libc::O_CLOEXEC) as usize;
    [
        act(libc::SYS_openat, [here, c"/".as_ptr() as usize, read, 0, 0, 0]),
        act(libc::SYS_openat, [here, null, write, 0, 0, 0]),
        act(libc::SYS_setxattr, [path, attribute, path, 1, replace, 0]),
        act(libc::SYS_clone, [libc::SIGCHLD as usize, 0, 0, 0, 0, 0]),
        act(libc::SYS_execve, [c"/".as_ptr() as usize, 0, 0, 0, 0, 0]),
        act(libc::SYS_socket, [libc::AF_INET as usize, libc::SOCK_STREAM as usize, 0, 0, 0, 0]),
        act(libc::SYS_kill, [parent, 0, 0, 0, 0, 0]),
        act(libc::SYS_memfd_create, [c"probe".as_ptr() as usize, 1, 0, 0, 0, 0]),
        act(libc::SYS_fcntl, [careless as usize, libc::F_GETFD as usize, 0, 0, 0, 0]),
        act(libc::SYS_getpid, [0; 6]),
        act(libc::SYS_prctl, [libc::PR_GET_NO_NEW_PRIVS as usize, 0, 0, 0, 0, 0]),
        act(libc::SYS_faccessat, [here, c"/proc/self".as_ptr() as usize, 0, 0, 0, 0]),
    ]
}

/// Whether the answers show the protection.
fn judge(protection: Protection, confined: &[isize], bare: &[isize], scrubbed: bool) -> State {
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
        // It is not there, and is in a bare child.
        Protection::Descriptors if (*confined, *bare) == (-(libc::EBADF as isize), 0) => {
            State::Active
        }
        Protection::Descriptors => {
            State::Unavailable("a descriptor of the launcher stays open in the program".to_owned())
        }
        // Given with the execution itself, which this child does not reach.
        Protection::Environment if scrubbed => State::Active,
        Protection::Environment => {
            State::Unavailable("the launcher's environment is passed on".to_owned())
        }
        Protection::Capabilities if *confined == 1 => State::Active,
        Protection::Capabilities => {
            State::Unavailable("no_new_privs is not set in the program".to_owned())
        }
        Protection::Metadata => denied(*confined, *bare, -(libc::ENOENT as isize)),
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

#[cfg(test)]
mod tests {
    use super::*;

    /// What two answers to one act show of a protection.
    fn shown(protection: Protection, confined: isize, bare: isize) -> bool {
        let place = Protection::ALL.iter().position(|known| *known == protection).unwrap();
        let answers = |answer| {
            let mut answers = vec![isize::MIN; Protection::ALL.len()];
            answers[place] = answer;
            answers
        };
        judge(protection, &answers(confined), &answers(bare), true) == State::Active
    }

    #[test]
    fn a_denial_counts_if_the_sandbox_gave_it_and_the_host_alone_did_not() {
        let errno = |errno: i32| -(errno as isize);
        let denials = [
            (Protection::FileRead, libc::EACCES),
            (Protection::FileWrite, libc::EACCES),
            (Protection::Network, libc::EACCES),
            (Protection::Spawn, libc::EPERM),
            (Protection::Execute, libc::EPERM),
            (Protection::OtherProcesses, libc::EPERM),
            (Protection::KernelSurface, libc::EPERM),
            (Protection::Metadata, libc::ENOENT),
        ];
        for (protection, wanted) in denials {
            let wanted = errno(wanted);
            assert!(shown(protection, wanted, 0), "{protection:?}");
            assert!(shown(protection, wanted, errno(libc::ENOSYS)), "{protection:?}");
            assert!(
                !shown(protection, wanted, wanted),
                "{protection:?}: the host denies it anyway"
            );
            assert!(!shown(protection, 0, wanted), "{protection:?}: only the bare one is denied");
            assert!(!shown(protection, 0, 0), "{protection:?}");
            assert!(!shown(protection, errno(libc::EINVAL), 0), "{protection:?}: an odd answer");
        }
    }

    #[test]
    fn attributes_descriptors_and_capabilities_are_seen_by_answers_of_their_own() {
        let refused = -(libc::EOPNOTSUPP as isize);
        assert!(shown(Protection::FileAttributes, refused, -(libc::ENODATA as isize)));
        assert!(shown(Protection::FileAttributes, refused, refused), "there is nothing to protect");
        assert!(!shown(Protection::FileAttributes, 0, 0));
        let closed = -(libc::EBADF as isize);
        assert!(shown(Protection::Descriptors, closed, 0));
        for (confined, bare) in [(0, 0), (closed, closed), (0, closed)] {
            assert!(!shown(Protection::Descriptors, confined, bare), "{confined} {bare}");
        }
        assert!(shown(Protection::Capabilities, 1, 0));
        assert!(!shown(Protection::Capabilities, 0, 0));
    }
}
