//! The permitted neighbour of an act. A sandbox that kills or denies everything fails it, so a twin
//! stands before and after every attempt. Its proof is the neighbour token in the run directory,
//! which only a program that can read and write there can put in its place.

use crate::scene::Scene;
use std::io::{self, Read, Write};
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::{fs, thread};

/// Which neighbour an act has. Native and Python programs know the same ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Twin {
    /// Read an own file and write another one.
    OwnFile,
    /// Create a directory, rename into it, link, list, and remove it all.
    OwnTree,
    /// Start a thread and join it.
    Thread,
    /// Talk over a stream socket pair.
    SocketPair,
    /// Send a signal to oneself, ignored.
    OwnSignal,
    /// Ask for one's own limits, priority and identity.
    OwnProcess,
    /// Map memory and run ordinary calls of the kernel.
    Memory,
}

impl Twin {
    /// The word by which a program is told its twin.
    pub fn name(self) -> &'static str {
        match self {
            Self::OwnFile => "own-file",
            Self::OwnTree => "own-tree",
            Self::Thread => "thread",
            Self::SocketPair => "socket-pair",
            Self::OwnSignal => "own-signal",
            Self::OwnProcess => "own-process",
            Self::Memory => "memory",
        }
    }

    /// Performs the neighbour and leaves its proof as `proof-{moment}` in the run directory.
    ///
    /// # Errors
    /// The first call that failed.
    pub fn perform(self, scene: &Scene, moment: &str) -> io::Result<()> {
        match self {
            Self::OwnFile => {}
            Self::OwnTree => own_tree(scene)?,
            Self::Thread => thread::Builder::new()
                .spawn(|| ())?
                .join()
                .map_err(|_panic| io::Error::other("the thread of the twin did not end"))?,
            Self::SocketPair => socket_pair()?,
            Self::OwnSignal => nix::sys::signal::raise(nix::sys::signal::Signal::SIGURG)?,
            Self::OwnProcess => own_process()?,
            Self::Memory => memory()?,
        }
        prove(scene, moment)
    }
}

/// Leaves the neighbour token as `proof-{moment}` in the run directory, which shows from outside that
/// this program can read and write there.
///
/// # Errors
/// The call that failed.
pub fn prove(scene: &Scene, moment: &str) -> io::Result<()> {
    let neighbour = fs::read(scene.run().join("neighbour"))?;
    fs::write(scene.run().join(format!("proof-{moment}")), neighbour)
}

fn own_tree(scene: &Scene) -> io::Result<()> {
    let tree = scene.run().join("twin-tree");
    fs::create_dir(&tree)?;
    fs::write(scene.run().join("twin-file"), b"twin")?;
    fs::rename(scene.run().join("twin-file"), tree.join("moved"))?;
    link(&tree)?;
    let names = fs::read_dir(&tree)?.count();
    fs::remove_dir_all(&tree)?;
    if names == 3 { Ok(()) } else { Err(io::Error::other("the twin's directory lost a name")) }
}

/// Two more names for a file.
#[cfg(target_os = "linux")]
fn link(tree: &Path) -> io::Result<()> {
    fs::hard_link(tree.join("moved"), tree.join("linked"))?;
    std::os::unix::fs::symlink("moved", tree.join("symbolic"))
}

/// Two more files: a profile of macOS lets nothing be linked, for a link is how others are led astray.
#[cfg(target_os = "macos")]
fn link(tree: &Path) -> io::Result<()> {
    fs::write(tree.join("linked"), b"twin")?;
    fs::write(tree.join("symbolic"), b"twin")
}

fn socket_pair() -> io::Result<()> {
    let (mut near, mut far) = UnixStream::pair()?;
    near.write_all(b"twin")?;
    let mut answer = [0; 4];
    far.read_exact(&mut answer)
}

fn own_process() -> io::Result<()> {
    nix::sys::resource::getrlimit(nix::sys::resource::Resource::RLIMIT_NOFILE)?;
    affinity()
}

#[cfg(target_os = "linux")]
fn affinity() -> io::Result<()> {
    nix::sched::sched_getaffinity(nix::unistd::Pid::from_raw(0))?;
    Ok(())
}

/// A program cannot ask for its processors here.
#[cfg(target_os = "macos")]
fn affinity() -> io::Result<()> {
    Ok(())
}

/// Memory large enough that the allocator asks the kernel for it.
fn memory() -> io::Result<()> {
    let mut memory: Vec<u8> = Vec::new();
    memory
        .try_reserve_exact(1 << 22)
        .map_err(|error| io::Error::new(io::ErrorKind::OutOfMemory, error))?;
    memory.push(1);
    Ok(())
}
