//! Linux. The descriptors of a launch: the run directory, the program, and the three streams.

use super::LaunchError;
use super::supervise::Parts;
use crate::command::Input;
use crate::sys::kernel;
use nix::fcntl::{FcntlArg, OFlag, fcntl, open};
use nix::sys::socket::{AddressFamily, SockFlag, SockType, socketpair};
use nix::sys::stat::Mode;
use std::io;
use std::os::fd::{AsRawFd, OwnedFd};
use std::path::Path;

/// The run directory, if it is a directory and no symbolic link.
pub(super) fn open_directory(path: &Path) -> Result<OwnedFd, LaunchError> {
    let flags = OFlag::O_PATH | OFlag::O_DIRECTORY | OFlag::O_NOFOLLOW | OFlag::O_CLOEXEC;
    let opened = open(path, flags, Mode::empty()).map_err(|errno| LaunchError::RunDirectory {
        path: path.to_owned(),
        call: "open",
        source: errno.into(),
    })?;
    above_streams(opened)
}

/// The program, if it is a file that somebody may execute.
pub(super) fn open_program(path: &Path) -> Result<OwnedFd, LaunchError> {
    let refused = |call, source: io::Error| {
        let path = path.to_owned();
        if source.kind() == io::ErrorKind::NotFound {
            LaunchError::NotFound { path, source }
        } else {
            LaunchError::NotExecutable { path, call, source }
        }
    };
    let opened = open(path, OFlag::O_PATH | OFlag::O_CLOEXEC, Mode::empty())
        .map_err(|errno| refused("open", errno.into()))?;
    let status = nix::sys::stat::fstat(&opened).map_err(|errno| refused("fstat", errno.into()))?;
    if status.st_mode & libc::S_IFMT != libc::S_IFREG || status.st_mode & 0o111 == 0 {
        return Err(refused("fstat", io::Error::from_raw_os_error(libc::EACCES)));
    }
    above_streams(opened)
}

/// The same open file under a number above the three streams, which the child will replace. A host
/// that has closed one of its own streams gets such numbers for new descriptors.
pub(super) fn above_streams(descriptor: OwnedFd) -> Result<OwnedFd, LaunchError> {
    if descriptor.as_raw_fd() > 2 {
        return Ok(descriptor);
    }
    let raised = fcntl(&descriptor, FcntlArg::F_DUPFD_CLOEXEC(3))
        .map_err(|errno| LaunchError::resource("fcntl(F_DUPFD_CLOEXEC)")(errno.into()))?;
    Ok(kernel::own(raised))
}

/// A pair of connected sockets, the greater number first.
pub(super) fn channel() -> Result<[OwnedFd; 2], LaunchError> {
    let (one, other) =
        socketpair(AddressFamily::Unix, SockType::Stream, None, SockFlag::SOCK_CLOEXEC)
            .map_err(|errno| LaunchError::resource("socketpair")(errno.into()))?;
    let (one, other) = (above_streams(one)?, above_streams(other)?);
    Ok(if one.as_raw_fd() > other.as_raw_fd() { [one, other] } else { [other, one] })
}

/// The child's three streams, and the parent's ends of them.
pub(super) fn pipes(input: Input) -> Result<([OwnedFd; 3], Parts), LaunchError> {
    let (output, inner_output) = pipe()?;
    let (error, inner_error) = pipe()?;
    let (inner_input, input, source, unread) = match input {
        Input::Empty => {
            let null = open("/dev/null", OFlag::O_RDONLY | OFlag::O_CLOEXEC, Mode::empty())
                .map_err(|errno| LaunchError::resource("open(\"/dev/null\")")(errno.into()))?;
            (above_streams(null)?, None, None, None)
        }
        Input::Fed => {
            let (inner, outer) = pipe()?;
            (inner, Some(outer), None, None)
        }
        Input::From(source) => {
            let (inner, outer) = pipe()?;
            let seekable = nix::unistd::lseek(&source, 0, nix::unistd::Whence::SeekCur).is_ok();
            let unread = if seekable { inner.try_clone().ok() } else { None };
            (inner, Some(outer), Some(source), unread)
        }
    };
    for end in [Some(&output), Some(&error), input.as_ref()].into_iter().flatten() {
        fcntl(end, FcntlArg::F_SETFL(OFlag::O_NONBLOCK))
            .map_err(|errno| LaunchError::resource("fcntl(F_SETFL)")(errno.into()))?;
    }
    let parts = Parts { input, source, unread, output, error };
    Ok(([inner_input, inner_output, inner_error], parts))
}

fn pipe() -> Result<(OwnedFd, OwnedFd), LaunchError> {
    let (read, write) = nix::unistd::pipe2(OFlag::O_CLOEXEC)
        .map_err(|errno| LaunchError::resource("pipe2")(errno.into()))?;
    Ok((above_streams(read)?, above_streams(write)?))
}
