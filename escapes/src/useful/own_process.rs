//! What a program asks and sets about itself, as runtimes do when they start, and the devices that
//! everybody may use.

use super::expect;
use crate::raw;
use harness::scene::Scene;
use harness::useful::UsefulWork;
use nix::sched::{sched_getaffinity, sched_setaffinity};
use nix::sys::resource::{Resource, getrlimit, setrlimit};
use nix::unistd::Pid;
use rustix::process::{getpriority_process, nice};
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Write};

pub(super) const WORKS: &[UsefulWork] = &[
    UsefulWork {
        id: "useful/own-limits",
        summary: "The program lowers its own limits and may still work",
        work: native!(limits),
        ..UsefulWork::BLANK
    },
    UsefulWork {
        id: "useful/own-scheduling",
        summary: "The program asks for its processors, priority and usage, and sets what it has",
        work: native!(scheduling),
        ..UsefulWork::BLANK
    },
    UsefulWork {
        id: "useful/devices",
        summary: "/dev/null swallows and ends, /dev/urandom and getrandom give different bytes",
        work: native!(devices),
        ..UsefulWork::BLANK
    },
];

fn limits(scene: &Scene) -> io::Result<()> {
    let lowered = [
        (Resource::RLIMIT_NOFILE, 64),
        (Resource::RLIMIT_FSIZE, 1 << 20),
        (Resource::RLIMIT_STACK, 4 << 20),
    ];
    for (resource, value) in lowered {
        let (_, hard) = getrlimit(resource)?;
        setrlimit(resource, value.min(hard), value.min(hard))?;
        expect(getrlimit(resource)?.0 == value.min(hard), "a limit was not lowered")?;
    }
    // The older call, which takes two words: the limit and the most that it may be.
    let smaller = [1u64 << 19; 2];
    let file_size = libc::RLIMIT_FSIZE as usize;
    raw::call(libc::SYS_setrlimit, [file_size, smaller.as_ptr() as usize, 0, 0, 0, 0])?;
    expect(getrlimit(Resource::RLIMIT_FSIZE)?.0 == 1 << 19, "the older call lowered no limit")?;
    std::fs::write(scene.run().join("small"), b"small")
}

fn scheduling(_scene: &Scene) -> io::Result<()> {
    let own = Pid::from_raw(0);
    let processors = sched_getaffinity(own)?;
    sched_setaffinity(own, &processors)?;
    expect(sched_getaffinity(nix::unistd::getpid())? == processors, "the processors changed")?;
    let count = std::thread::available_parallelism()?.get();
    expect(count >= 1, "there is no processor")?;
    let priority = getpriority_process(None)?;
    expect(nice(0)? == priority, "the priority changed")?;
    let usage = nix::sys::resource::getrusage(nix::sys::resource::UsageWho::RUSAGE_SELF)?;
    expect(usage.max_rss() > 0, "the program uses no memory")?;
    expect(!nix::sys::utsname::uname()?.release().is_empty(), "the kernel has no name")?;
    nix::sys::sysinfo::sysinfo()?;
    expect(std::env::current_dir()?.is_absolute(), "there is no working directory")
}

fn devices(_scene: &Scene) -> io::Result<()> {
    let mut null = OpenOptions::new().read(true).write(true).open("/dev/null")?;
    null.write_all(b"swallowed")?;
    expect(null.read(&mut [0])? == 0, "/dev/null has content")?;
    let mut random = [[0; 16]; 3];
    let [first, second, third] = &mut random;
    let mut device = File::open("/dev/urandom")?;
    device.read_exact(first)?;
    device.read_exact(second)?;
    rustix_random(third)?;
    expect(first != second && second != third, "random bytes repeat")
}

/// `getrandom(2)`, which needs no file.
fn rustix_random(bytes: &mut [u8; 16]) -> io::Result<()> {
    let address = bytes.as_mut_ptr().addr();
    let count = crate::raw::call(libc::SYS_getrandom, [address, bytes.len(), 0, 0, 0, 0])?;
    expect(count == 16, "getrandom gave fewer bytes")
}
