//! Linux on x86-64. System calls of the 32-bit kind, which an instruction of their own makes.

use super::code::Page;
use std::io;
use std::ptr;

/// Makes a system call of the 32-bit kind, by `int 0x80`. The registers take 32 bits each, so what
/// pointers point to must lie in [`LowMemory`].
///
/// # Errors
/// The errno of the call; `ENOSYS` where the kernel does not serve the interrupt.
pub fn call_32(number: u32, arguments: [u32; 5]) -> io::Result<i64> {
    interrupt::<0x80>(number, arguments)
}

/// Raises a software interrupt with the registers of a 32-bit system call. A kernel without a gate for
/// it answers by `SIGSEGV`, which is taken for `ENOSYS`.
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
#[derive(Debug)]
pub struct LowMemory(Page);

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

#[cfg(test)]
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
