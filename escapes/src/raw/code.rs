//! Linux. Machine code that the program carries: in fresh memory, in a file, in a shared object.

pub use crate::raw_posix::load_library;
use std::io;
use std::os::fd::AsRawFd;
use std::ptr;

/// Runs machine code that is a function without arguments, copied to fresh memory, which is executable
/// and no longer writable when the code runs.
///
/// # Errors
/// The errno of the call that was refused.
pub fn run(code: &[u8]) -> io::Result<()> {
    let writable = libc::PROT_READ | libc::PROT_WRITE;
    let page = Page::map(code.len(), writable, libc::MAP_ANONYMOUS, -1)?;
    // SAFETY: the new map is writable and as long as the code, which lies elsewhere.
    unsafe { ptr::copy_nonoverlapping(code.as_ptr(), page.start.cast(), code.len()) };
    let executable = libc::PROT_READ | libc::PROT_EXEC;
    // SAFETY: the range is that of the new map, to which nothing refers.
    if unsafe { libc::mprotect(page.start, page.length, executable) } == -1 {
        return Err(io::Error::last_os_error());
    }
    page.enter();
    Ok(())
}

/// Runs machine code in memory that is never writable: `patch` gets its address and the code and puts
/// it there.
///
/// # Errors
/// The errno of the call that was refused.
pub fn run_patched(
    code: &[u8],
    patch: impl FnOnce(u64, &[u8]) -> io::Result<()>,
) -> io::Result<()> {
    let executable = libc::PROT_READ | libc::PROT_EXEC;
    let page = Page::map(code.len(), executable, libc::MAP_ANONYMOUS, -1)?;
    patch(page.start as u64, code)?;
    page.enter();
    Ok(())
}

/// Runs the machine code that is the content of a file, mapped executable.
///
/// # Errors
/// The errno of mmap(2).
pub fn run_file(file: &std::fs::File, length: usize) -> io::Result<()> {
    let executable = libc::PROT_READ | libc::PROT_EXEC;
    Page::map(length, executable, 0, file.as_raw_fd())?.enter();
    Ok(())
}

/// A private map of its own, until it is dropped.
#[derive(Debug)]
pub(super) struct Page {
    pub(super) start: *mut libc::c_void,
    length: usize,
}

impl Page {
    pub(super) fn map(
        length: usize,
        protection: i32,
        flags: i32,
        descriptor: i32,
    ) -> io::Result<Self> {
        let flags = flags | libc::MAP_PRIVATE;
        // SAFETY: a null hint lets the kernel choose an unused place, so no live memory is replaced.
        let start =
            unsafe { libc::mmap(ptr::null_mut(), length, protection, flags, descriptor, 0) };
        if start == libc::MAP_FAILED {
            return Err(io::Error::last_os_error());
        }
        Ok(Self { start, length })
    }

    /// Calls what the page holds.
    fn enter(&self) {
        // SAFETY: the page is executable and holds a function without arguments from its start.
        let function: extern "C" fn() = unsafe { std::mem::transmute(self.start) };
        function();
    }
}

impl Drop for Page {
    fn drop(&mut self) {
        // SAFETY: the range is that of the map, to which nothing refers any more.
        unsafe { libc::munmap(self.start, self.length) };
    }
}

/// Maps a page at this address, which must be free, with these bytes, and leaves it there. Returns the
/// address.
///
/// # Errors
/// The errno of mmap(2): `EEXIST` where something is there.
pub fn at(address: usize, bytes: &[u8]) -> io::Result<usize> {
    let protection = libc::PROT_READ | libc::PROT_WRITE;
    let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_FIXED_NOREPLACE;
    let place = ptr::without_provenance_mut(address);
    // SAFETY: the flags make the call fail rather than replace live memory.
    let start = unsafe { libc::mmap(place, bytes.len(), protection, flags, -1, 0) };
    if start == libc::MAP_FAILED {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: the new map is writable and at least that long; the bytes lie elsewhere.
    unsafe { ptr::copy_nonoverlapping(bytes.as_ptr(), start.cast(), bytes.len()) };
    Ok(start as usize)
}

/// Makes a call that returns twice, `fork` or `vfork`, in such a way that the new process sleeps and
/// leaves before it touches the memory that it may share. Returns the number of the new process.
///
/// # Errors
/// The errno of the call.
#[cfg(target_arch = "x86_64")]
pub fn fork_and_leave(number: i64, sleep: std::time::Duration) -> io::Result<i64> {
    let sleep = [sleep.as_secs(), sleep.subsec_nanos().into()];
    let answer: i64;
    // SAFETY: the new process goes no further than the instructions here, which use registers and read
    // `sleep`, and `exit_group` does not return. The registers that a call changes are declared.
    unsafe {
        std::arch::asm!(
            "syscall",
            "test rax, rax",
            "jnz 2f",
            "mov rdi, {sleep}",
            "xor esi, esi",
            "mov eax, {nanosleep}",
            "syscall",
            "xor edi, edi",
            "mov eax, {leave}",
            "syscall",
            "2:",
            sleep = in(reg) sleep.as_ptr(),
            nanosleep = const libc::SYS_nanosleep,
            leave = const libc::SYS_exit_group,
            inlateout("rax") number => answer,
            out("rcx") _, out("r11") _, out("rdi") _, out("rsi") _,
        );
    }
    match answer {
        -4095..0 => Err(io::Error::from_raw_os_error(-answer as i32)),
        process => Ok(process),
    }
}
