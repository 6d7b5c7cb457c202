//! Linux. The only unsafe code of the catalogue: calls that no safe library offers, because honest
//! programs have no use for them.
#![expect(unsafe_code, reason = "escapes make system calls that no safe library wraps")]

use std::io;
use std::os::fd::{AsRawFd, BorrowedFd, FromRawFd, OwnedFd};
use std::ptr;
use std::sync::atomic::AtomicU32;

/// Makes a system call by number. Arguments that are pointers must stay valid for the call; the
/// callers keep the pointed-to values on their stack.
///
/// # Errors
/// The errno of the call.
pub fn call(number: i64, arguments: [usize; 6]) -> io::Result<i64> {
    let [first, second, third, fourth, fifth, sixth] = arguments;
    // SAFETY: the kernel checks every argument; pointers, where the number takes any, point to values
    // that outlive this call, as the caller guarantees. The call neither unwinds nor returns twice,
    // for `fork` has its own function.
    let result = unsafe { libc::syscall(number, first, second, third, fourth, fifth, sixth) };
    if result == -1 { Err(io::Error::last_os_error()) } else { Ok(result) }
}

/// Forks by `fork(2)` as libc does it. Returns 0 in the new process, which must end by [`leave`].
///
/// # Errors
/// The errno of the call.
pub fn fork() -> io::Result<i32> {
    // SAFETY: the stage is single-threaded when an attempt begins, so the new process may go on in
    // this program.
    let pid = unsafe { libc::fork() };
    if pid == -1 { Err(io::Error::last_os_error()) } else { Ok(pid) }
}

/// Ends this process at once, without destructors: the end of a forked one.
pub fn leave(code: i32) -> ! {
    // SAFETY: `_exit` takes any code and does not return.
    unsafe { libc::_exit(code) }
}

/// Clones with the flags given, to which `CLONE_VM` and `CLONE_VFORK` belong: the new process runs
/// `life` in this one's memory and ends with its answer as exit code, and only then does this one go on.
///
/// # Errors
/// The errno of clone(2).
pub fn clone_shared(flags: i32, mut life: &mut dyn FnMut() -> i32) -> io::Result<i32> {
    let mut stack = vec![0_u128; 1 << 16];
    let top = stack.as_mut_ptr_range().end.cast();
    let argument = (&raw mut life).cast();
    // SAFETY: the stack and the closure live until this call returns, which is after the new process
    // has ended, for `CLONE_VFORK` suspends this one; so nothing uses the shared memory at once.
    let process = unsafe { libc::clone(begin, top, flags, argument) };
    if process == -1 { Err(io::Error::last_os_error()) } else { Ok(process) }
}

/// The first function of a process that [`clone_shared`] makes.
extern "C" fn begin(life: *mut libc::c_void) -> i32 {
    // SAFETY: `clone_shared` passes the address of its own variable of this type, which outlives us.
    let life = unsafe { &mut *life.cast::<&mut dyn FnMut() -> i32>() };
    life()
}

/// A System V shared memory segment in this process's memory; it is detached when dropped.
#[derive(Debug)]
pub struct Segment {
    start: *mut libc::c_void,
    length: usize,
}

impl Segment {
    /// Attaches the segment with this identifier, of which it takes `length` bytes.
    ///
    /// # Errors
    /// The errno of shmat(2).
    pub fn attach(identifier: i32, length: usize) -> io::Result<Self> {
        // SAFETY: a null address lets the kernel choose an unused place.
        let start = unsafe { libc::shmat(identifier, std::ptr::null(), 0) };
        if start as isize == -1 {
            return Err(io::Error::last_os_error());
        }
        Ok(Self { start, length })
    }

    /// The bytes that it holds now.
    pub fn read(&self) -> Vec<u8> {
        let mut bytes = vec![0; self.length];
        // SAFETY: the segment is attached and at least that long; the new vector is elsewhere.
        unsafe {
            std::ptr::copy_nonoverlapping(self.start.cast(), bytes.as_mut_ptr(), bytes.len())
        };
        bytes
    }

    /// Overwrites its beginning.
    pub fn write(&mut self, bytes: &[u8]) {
        let length = bytes.len().min(self.length);
        // SAFETY: the segment is attached for writing and at least that long; `bytes` is elsewhere.
        unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), self.start.cast(), length) };
    }
}

impl Drop for Segment {
    fn drop(&mut self) {
        // SAFETY: the address is the one that shmat gave, and nobody borrows from it.
        unsafe { libc::shmdt(self.start) };
    }
}

// SAFETY: the address is valid in every thread of the process, and only `&mut self` writes there.
unsafe impl Send for Segment {}

/// Makes a system call that answers with a new descriptor, and owns it.
///
/// # Errors
/// The errno of the call.
pub fn descriptor(number: i64, arguments: [usize; 6]) -> io::Result<OwnedFd> {
    let descriptor = call(number, arguments)?;
    let descriptor = i32::try_from(descriptor).map_err(io::Error::other)?;
    Ok(adopt(descriptor))
}

/// Takes over a descriptor that is open without an owner in this program, such as one that the
/// launcher left open.
pub fn adopt(descriptor: i32) -> OwnedFd {
    // SAFETY: a number that this program made through `call` or found by scanning has no other owner
    // here; should it be closed, every use answers EBADF.
    unsafe { OwnedFd::from_raw_fd(descriptor) }
}

/// Maps `length` bytes of a descriptor from `offset` as words, readable and writable, with the given
/// `MAP_SHARED` or `MAP_PRIVATE` flags. The map lives as long as this process: whoever else writes
/// there (the kernel, another process) is met by atomic words.
///
/// # Errors
/// The errno of mmap(2).
pub fn map_words(
    descriptor: BorrowedFd<'_>,
    offset: i64,
    length: usize,
    flags: i32,
) -> io::Result<&'static [AtomicU32]> {
    let protection = libc::PROT_READ | libc::PROT_WRITE;
    // SAFETY: a null hint lets the kernel choose an unused place, so no live memory is replaced.
    let start = unsafe {
        libc::mmap(ptr::null_mut(), length, protection, flags, descriptor.as_raw_fd(), offset)
    };
    if start == libc::MAP_FAILED {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: the map starts on a page, so it is aligned, it is at least `length` bytes long and is
    // never unmapped. Its words are atomic, so writers elsewhere are no data race.
    Ok(unsafe { std::slice::from_raw_parts(start.cast(), length / size_of::<AtomicU32>()) })
}

/// The strings that the kernel laid on the stack when this program began: its arguments and its
/// environment, each ended by a zero byte. They lie between the random bytes and the program's name,
/// whose places getauxval(3) tells, and stay there when a variable is unset.
///
/// # Errors
/// `ENOENT` when the kernel did not tell the places.
pub fn initial_strings() -> io::Result<Vec<u8>> {
    const RANDOM_BYTES: u64 = 16;
    // SAFETY: the call takes any number and reads only what the kernel passed to this program.
    let random = unsafe { libc::getauxval(libc::AT_RANDOM) };
    // SAFETY: as above.
    let name = unsafe { libc::getauxval(libc::AT_EXECFN) };
    let start = random.saturating_add(RANDOM_BYTES);
    if random == 0 || name < start {
        return Err(io::Error::from_raw_os_error(libc::ENOENT));
    }
    let length = usize::try_from(name - start).map_err(io::Error::other)?;
    let start = ptr::with_exposed_provenance::<u8>(start as usize);
    // SAFETY: both places lie in the strings' part of the stack, which is mapped as a whole and which
    // nobody writes in this single-threaded program.
    Ok(unsafe { std::slice::from_raw_parts(start, length) }.to_vec())
}

/// Runs machine code that is a function without arguments, copied to fresh memory, which is executable
/// and no longer writable when the code runs.
///
/// # Errors
/// The errno of the call that was refused.
pub fn run_code(code: &[u8]) -> io::Result<()> {
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
struct Page {
    start: *mut libc::c_void,
    length: usize,
}

impl Page {
    fn map(length: usize, protection: i32, flags: i32, descriptor: i32) -> io::Result<Self> {
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

/// Loads a shared object, which runs its initialiser, and leaves it loaded.
///
/// # Errors
/// What dlerror(3) says.
pub fn load_library(path: &std::ffi::CStr) -> io::Result<()> {
    // SAFETY: the path is a C string, and the initialiser is a function that returns.
    if unsafe { libc::dlopen(path.as_ptr(), libc::RTLD_NOW) }.is_null() {
        // SAFETY: the call has no precondition.
        let text = unsafe { libc::dlerror() };
        if text.is_null() {
            return Err(io::Error::other("dlopen failed and does not say why"));
        }
        // SAFETY: dlerror gave a C string, which stays until the next call of the family.
        let text = unsafe { std::ffi::CStr::from_ptr(text) };
        return Err(io::Error::other(text.to_string_lossy()));
    }
    Ok(())
}

/// Writes `bytes` to the start of a file through a shared mapping, and has them written back.
/// The file must be at least that long and belong to the caller alone.
///
/// # Errors
/// The errno of `mmap`, `msync` or `munmap`.
pub fn write_through_map(file: &std::fs::File, bytes: &[u8]) -> io::Result<()> {
    use rustix::mm::{MapFlags, MsyncFlags, ProtFlags, mmap, msync, munmap};
    let protection = ProtFlags::READ | ProtFlags::WRITE;
    // SAFETY: a null hint lets the kernel choose a place where nothing of this program lies.
    let map =
        unsafe { mmap(std::ptr::null_mut(), bytes.len(), protection, MapFlags::SHARED, file, 0) }?;
    // SAFETY: the fresh mapping is `bytes.len()` long, writable, known to nobody else, and backed by
    // the file, which is long enough.
    unsafe { map.cast::<u8>().copy_from_nonoverlapping(bytes.as_ptr(), bytes.len()) };
    // SAFETY: the range is the mapping that was just made.
    unsafe { msync(map, bytes.len(), MsyncFlags::SYNC) }?;
    // SAFETY: no reference into the mapping is left.
    unsafe { munmap(map, bytes.len()) }?;
    Ok(())
}

/// Makes a system call of the 32-bit kind, by `int 0x80`. The registers take 32 bits each, so what
/// pointers point to must lie in [`LowMemory`].
///
/// # Errors
/// The errno of the call; `ENOSYS` where the kernel does not serve the interrupt.
#[cfg(target_arch = "x86_64")]
pub fn call_32(number: u32, arguments: [u32; 5]) -> io::Result<i64> {
    interrupt::<0x80>(number, arguments)
}

/// Raises a software interrupt with the registers of a 32-bit system call. A kernel without a gate for
/// it answers by `SIGSEGV`, which is taken for `ENOSYS`.
#[cfg(target_arch = "x86_64")]
fn interrupt<const VECTOR: u8>(number: u32, arguments: [u32; 5]) -> io::Result<i64> {
    use nix::sys::signal::{SaFlags, SigAction, SigHandler, SigSet, Signal, sigaction};

    let handler = SigHandler::SigAction(pass_over_interrupt);
    let action = SigAction::new(handler, SaFlags::SA_SIGINFO, SigSet::empty());
    // SAFETY: the handler touches only the registers of the interrupted instruction.
    let before = unsafe { sigaction(Signal::SIGSEGV, &action) }?;
    let [first, second, third, fourth, fifth] = arguments.map(u64::from);
    let mut answer = u64::from(number);
    // SAFETY: rbx, which the compiler keeps for itself, is swapped in and out again. The other
    // registers are declared, r8 to r11 among them, which kernels before 4.17 clear.
    unsafe {
        std::arch::asm!(
            "xchg rbx, {first}",
            "int {vector}",
            "xchg rbx, {first}",
            first = inout(reg) first => _,
            vector = const VECTOR,
            inout("rax") answer,
            in("rcx") second,
            in("rdx") third,
            in("rsi") fourth,
            in("rdi") fifth,
            out("r8") _, out("r9") _, out("r10") _, out("r11") _,
        );
    }
    // SAFETY: the action is the one that was in force before.
    unsafe { sigaction(Signal::SIGSEGV, &before) }?;
    match answer as i32 {
        errno @ -4095..0 => Err(io::Error::from_raw_os_error(-errno)),
        answer => Ok(i64::from(answer)),
    }
}

/// Goes on behind an interrupt instruction, which is two bytes long, with the answer `ENOSYS`.
#[cfg(target_arch = "x86_64")]
extern "C" fn pass_over_interrupt(
    _signal: i32,
    _information: *mut libc::siginfo_t,
    context: *mut libc::c_void,
) {
    // SAFETY: with SA_SIGINFO the kernel passes a context, which nobody else refers to.
    let context = unsafe { &mut *context.cast::<libc::ucontext_t>() };
    let registers = &mut context.uc_mcontext.gregs;
    if let Some(next) = registers.get_mut(libc::REG_RIP as usize) {
        *next += 2;
    }
    if let Some(answer) = registers.get_mut(libc::REG_RAX as usize) {
        *answer = i64::from(-libc::ENOSYS);
    }
}

/// A page below 4 GiB, whose address fits a 32-bit register.
#[cfg(target_arch = "x86_64")]
#[derive(Debug)]
pub struct LowMemory(Page);

#[cfg(target_arch = "x86_64")]
impl LowMemory {
    const LENGTH: usize = 4096;

    /// Maps a page that begins with these bytes.
    ///
    /// # Errors
    /// The errno of mmap(2).
    pub fn with(bytes: &[u8]) -> io::Result<Self> {
        let writable = libc::PROT_READ | libc::PROT_WRITE;
        let flags = libc::MAP_ANONYMOUS | libc::MAP_32BIT;
        let page = Page::map(Self::LENGTH, writable, flags, -1)?;
        let length = bytes.len().min(Self::LENGTH);
        // SAFETY: the new map is writable and at least that long; the bytes lie elsewhere.
        unsafe { ptr::copy_nonoverlapping(bytes.as_ptr(), page.start.cast(), length) };
        Ok(Self(page))
    }

    /// Its address.
    pub fn address(&self) -> u32 {
        self.0.start as usize as u32
    }

    /// What it holds now.
    pub fn bytes(&self) -> Vec<u8> {
        let mut bytes = vec![0; Self::LENGTH];
        // SAFETY: the map is readable and that long; the new vector is elsewhere.
        unsafe {
            ptr::copy_nonoverlapping(self.0.start.cast(), bytes.as_mut_ptr(), Self::LENGTH);
        }
        bytes
    }
}

#[cfg(all(test, target_arch = "x86_64"))]
mod tests {
    use super::*;

    #[test]
    fn an_interrupt_without_gate_is_an_absent_system_call() {
        const GETPID: u32 = 20;
        if let Ok(pid) = call_32(GETPID, [0; 5]) {
            assert_eq!(pid, i64::from(std::process::id()));
        }
        let absent = interrupt::<0x81>(GETPID, [0; 5]).unwrap_err();
        assert_eq!(absent.raw_os_error(), Some(libc::ENOSYS));
    }
}
