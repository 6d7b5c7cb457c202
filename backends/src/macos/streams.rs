//! The descriptors of a launch on macOS: the run directory, the three streams, the report of the stage.

use crate::command::Input;
use crate::launch::LaunchError;
use crate::launch::supervise::Parts;
use crate::sys::kernel;
use nix::fcntl::{FcntlArg, FdFlag, OFlag, fcntl, open};
use nix::sys::stat::Mode;
use std::io;
use std::os::fd::{AsRawFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

/// The path by which the kernel knows what `path` leads to: resolved, in its true case and without the
/// aliases of the data volume.
pub(super) fn kernel_path(path: &Path) -> io::Result<Vec<u8>> {
    let file = open(path, OFlag::O_RDONLY | OFlag::O_CLOEXEC | OFlag::O_NONBLOCK, Mode::empty())?;
    Ok(rustix::fs::getpath(&file)?.into_bytes())
}

/// The run directory, if it is a directory, no symbolic link, and spelt as the kernel spells it.
pub(super) fn open_directory(path: &Path) -> Result<OwnedFd, LaunchError> {
    let refused =
        |call, source: io::Error| LaunchError::RunDirectory { path: path.to_owned(), call, source };
    let flags = OFlag::O_RDONLY | OFlag::O_DIRECTORY | OFlag::O_NOFOLLOW | OFlag::O_CLOEXEC;
    let directory =
        open(path, flags, Mode::empty()).map_err(|errno| refused("open", errno.into()))?;
    let spelt = rustix::fs::getpath(&directory)
        .map_err(|errno| refused("fcntl(F_GETPATH)", errno.into()))?;
    if spelt.as_bytes() != path.as_os_str().as_bytes() {
        return Err(refused("fcntl(F_GETPATH)", io::ErrorKind::InvalidInput.into()));
    }
    above_streams(directory)
}

/// Refuses what is no program.
pub(super) fn check_program(path: &Path) -> Result<(), LaunchError> {
    let metadata = std::fs::metadata(path).map_err(|source| {
        let path = path.to_owned();
        if source.kind() == io::ErrorKind::NotFound {
            LaunchError::NotFound { path, source }
        } else {
            LaunchError::NotExecutable { path, call: "stat", source }
        }
    })?;
    if metadata.is_file() && metadata.mode() & 0o111 != 0 {
        return Ok(());
    }
    let source = io::Error::from_raw_os_error(libc::EACCES);
    Err(LaunchError::NotExecutable { path: path.to_owned(), call: "stat", source })
}

/// The same open file under a number above the three streams, closed in programs that begin later.
fn above_streams(descriptor: OwnedFd) -> Result<OwnedFd, LaunchError> {
    if descriptor.as_raw_fd() > 2 {
        return Ok(descriptor);
    }
    let raised = fcntl(&descriptor, FcntlArg::F_DUPFD_CLOEXEC(3))
        .map_err(|errno| LaunchError::resource("fcntl(F_DUPFD_CLOEXEC)")(errno.into()))?;
    Ok(kernel::own(raised))
}

/// The program's three streams, and the launcher's ends of them.
pub(super) fn streams(input: Input) -> Result<([OwnedFd; 3], Parts), LaunchError> {
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

/// A pipe that is closed in programs that begin later. There is no call that makes one so at once, so
/// launches exclude each other while they hold such descriptors open.
pub(super) fn pipe() -> Result<(OwnedFd, OwnedFd), LaunchError> {
    let (read, write) =
        nix::unistd::pipe().map_err(|errno| LaunchError::resource("pipe")(errno.into()))?;
    let (read, write) = (above_streams(read)?, above_streams(write)?);
    for end in [&read, &write] {
        fcntl(end, FcntlArg::F_SETFD(FdFlag::FD_CLOEXEC))
            .map_err(|errno| LaunchError::resource("fcntl(F_SETFD)")(errno.into()))?;
    }
    Ok((read, write))
}

/// A descriptor that can be read from at once and for ever: it stands for a program that is dead
/// already.
pub(super) fn ended() -> Result<OwnedFd, LaunchError> {
    let (read, _closed) = pipe()?;
    Ok(read)
}
