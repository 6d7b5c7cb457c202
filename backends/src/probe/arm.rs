//! Linux. One arm of a probe: a fresh place, a secret, a listener, and a program that tries each way out.

use super::Way;
use crate::backend::Confinement;
use crate::child::{Exit, WaitError};
use crate::command::Command;
use crate::launch::LaunchError;
use crate::linux::tape::{Tape, TapeError};
use crate::policy::{Bound, GrantError, Limits, Policy};
use crate::temporary::Temporary;
use rustix::fs::{StatVfsMountFlags, statvfs};
use std::collections::BTreeSet;
use std::fs;
use std::io::{self, Read};
use std::net::{Ipv4Addr, TcpListener};
use std::path::{Path, PathBuf};

/// Length of the secret in bytes.
const SECRET: usize = 32;

/// Why an arm could not be run.
#[derive(Debug, thiserror::Error)]
pub(super) enum ArmError {
    #[error("{call}: {source}")]
    Call { call: &'static str, source: io::Error },
    #[error("every place for temporary files is mounted noexec or cannot be written")]
    NoPlace,
    #[error(transparent)]
    Grant(#[from] GrantError),
    #[error(transparent)]
    Program(#[from] TapeError),
    #[error(transparent)]
    Launch(#[from] LaunchError),
    #[error(transparent)]
    Follow(#[from] WaitError),
    #[error("the program of the probe ended with {0:?}")]
    Ended(Exit),
}

fn failed(call: &'static str) -> impl FnOnce(io::Error) -> ArmError {
    move |source| ArmError::Call { call, source }
}

/// What was seen of one program.
#[derive(Debug)]
pub(super) struct Arm {
    /// The ways in which it got out.
    pub(super) out: BTreeSet<Way>,
    /// Whether it wrote its own file.
    pub(super) own: bool,
}

/// Places in which a program may be executed, tried in this order after the one for temporary files.
const FALLBACKS: [&str; 2] = ["/var/tmp", "/dev/shm"];

/// A directory in which programs may be executed.
fn place() -> Result<Temporary, ArmError> {
    let candidates = std::iter::once(std::env::temp_dir()).chain(FALLBACKS.map(PathBuf::from));
    let executes = |base: &PathBuf| {
        statvfs(base).is_ok_and(|found| !found.f_flag.contains(StatVfsMountFlags::NOEXEC))
    };
    let mut made = candidates.filter(executes).map(|base| Temporary::make_in(&base, "probe"));
    made.find_map(Result::ok).ok_or(ArmError::NoPlace)
}

/// The place of a probe, which goes with all that is in it.
#[derive(Debug)]
pub(super) struct Scene {
    _place: Temporary,
    base: PathBuf,
    secret: String,
    listener: TcpListener,
}

impl Scene {
    /// Makes the place, the secret, the listener and the program.
    pub(super) fn set() -> Result<Self, ArmError> {
        let place = place()?;
        let base = place.path().canonicalize().map_err(failed("realpath"))?;
        let mut random = [0; SECRET / 2];
        fs::File::open("/dev/urandom")
            .and_then(|mut file| file.read_exact(&mut random))
            .map_err(failed("read /dev/urandom"))?;
        let secret = hex::encode(random);
        fs::write(base.join("secret"), &secret).map_err(failed("write"))?;
        let listener =
            TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).map_err(failed("bind 127.0.0.1"))?;
        listener.set_nonblocking(true).map_err(failed("fcntl(O_NONBLOCK)"))?;
        let scene = Self { _place: place, base, secret, listener };
        scene.tape()?.write_to(&scene.program())?;
        Ok(scene)
    }

    /// Nothing is granted but the start of the program.
    pub(super) fn policy(&self) -> Result<Policy, GrantError> {
        let limits = Limits { wall_clock_milliseconds: Bound::At(10_000), ..Limits::default() };
        Policy::builder().limits(limits).execute(&self.program())?.build()
    }

    fn program(&self) -> PathBuf {
        self.base.join("program")
    }

    fn planted(&self) -> PathBuf {
        self.base.join("planted")
    }

    /// The acts of the program. Its descriptors from 3 on are its own, so their numbers are known.
    fn tape(&self) -> Result<Tape, ArmError> {
        let port = self.listener.local_addr().map_err(failed("getsockname"))?.port();
        let mut tape = Tape::default();
        let call = |tape: &mut Tape, number, arguments: &[u64]| {
            let mut all = [0; 6];
            all.iter_mut().zip(arguments).for_each(|(place, argument)| *place = *argument);
            tape.call(number, all)
        };
        let close = |tape: &mut Tape| call(tape, libc::SYS_close, &[3]);
        call(&mut tape, libc::SYS_close_range, &[3, u64::from(u32::MAX), 0]);
        tape.open(b"own", libc::O_WRONLY | libc::O_CREAT);
        close(&mut tape);
        let buffer = tape.data(&[0; SECRET]);
        tape.open(self.base.join("secret").as_os_str().as_encoded_bytes(), libc::O_RDONLY);
        call(&mut tape, libc::SYS_read, &[3, buffer, SECRET as u64]);
        close(&mut tape);
        call(&mut tape, libc::SYS_write, &[1, buffer, SECRET as u64]);
        tape.open(self.planted().as_os_str().as_encoded_bytes(), libc::O_WRONLY | libc::O_CREAT);
        close(&mut tape);
        let [high, low] = port.to_be_bytes();
        let family = libc::AF_INET as u64;
        let address = [family.to_le_bytes()[0], 0, high, low, 127, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0];
        let address = tape.data(&address);
        call(&mut tape, libc::SYS_socket, &[family, libc::SOCK_STREAM as u64, 0]);
        call(&mut tape, libc::SYS_connect, &[3, address, 16]);
        // Two processes write after this call, and one waits for the other before it ends.
        let fork = call(&mut tape, libc::SYS_clone, &[libc::SIGCHLD as u64]);
        let answer = tape.answer_address(fork);
        call(&mut tape, libc::SYS_write, &[1, answer, 8]);
        call(&mut tape, libc::SYS_wait4, &[u64::MAX, 0, 0, 0]);
        tape.exit();
        Ok(tape)
    }

    /// Runs the program and looks, from outside, at what it did.
    pub(super) fn run(&self, confinement: &dyn Confinement, name: &str) -> Result<Arm, ArmError> {
        let run = self.base.join(name);
        fs::create_dir(&run).map_err(failed("mkdir"))?;
        let completed = confinement.launch(Command::new(self.program(), &run))?.wait()?;
        if completed.ended.exit != Exit::Code(0) {
            return Err(ArmError::Ended(completed.ended.exit));
        }
        let (read, answers) = completed.output.split_at(completed.output.len().min(SECRET));
        let mut out = BTreeSet::new();
        let mut seen = |way, is_seen: bool| is_seen.then(|| out.insert(way));
        seen(Way::FileRead, read == self.secret.as_bytes());
        seen(Way::FileWrite, remove(&self.planted()).map_err(failed("unlink"))?);
        // Of one process the answer to its only `clone`; of two the child's answer, zero, too.
        seen(Way::Subprocess, answers.len() != 8 || !denied(answers));
        seen(Way::Loopback, self.caller().map_err(failed("accept4"))?);
        Ok(Arm { out, own: run.join("own").is_file() })
    }

    fn caller(&self) -> io::Result<bool> {
        match self.listener.accept() {
            Ok(_) => Ok(true),
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => Ok(false),
            Err(error) => Err(error),
        }
    }
}

/// Whether the answer of a call is an error.
fn denied(answer: &[u8]) -> bool {
    answer.try_into().is_ok_and(|bytes| i64::from_le_bytes(bytes) < 0)
}

/// Removes a file; whether it was there.
fn remove(path: &Path) -> io::Result<bool> {
    match fs::remove_file(path) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error),
    }
}
