//! macOS. Another process by its task port, and what it holds by proc_info.

use std::ffi::CStr;
use std::io;

/// The port by which all of a process can be reached (mach/mach_traps.h).
#[derive(Debug)]
pub struct Task(u32);

fn kernel(call: &str, code: i32) -> io::Result<()> {
    if code == 0 { Ok(()) } else { Err(io::Error::other(format!("{call}: {code}"))) }
}

impl Task {
    /// The task of a process.
    ///
    /// # Errors
    /// `EPERM` for `KERN_FAILURE`, the kernel's answer to whoever may not have it.
    pub fn of(process: i32) -> io::Result<Self> {
        const FAILURE: i32 = 5;
        // SAFETY: the C library sets it before a program begins, and nobody changes it.
        let own = unsafe { mach_task_self_ };
        let mut task = 0;
        // SAFETY: the task is written and outlives the call.
        match unsafe { task_for_pid(own, process, &mut task) } {
            FAILURE => Err(io::Error::from_raw_os_error(libc::EPERM)),
            code => kernel("task_for_pid", code).map(|()| Self(task)),
        }
    }

    /// Copies memory out of it.
    ///
    /// # Errors
    /// The code of the call.
    pub fn read(&self, address: usize, length: usize) -> io::Result<Vec<u8>> {
        let mut copy = vec![0_u8; length];
        let (mut copied, place) = (0_u64, copy.as_mut_ptr() as u64);
        let (address, length) = (address as u64, length as u64);
        // SAFETY: the place is as long as the length says; it and the count outlive the call.
        let code = unsafe { mach_vm_read_overwrite(self.0, address, length, place, &mut copied) };
        kernel("mach_vm_read_overwrite", code)?;
        copy.truncate(usize::try_from(copied).map_err(io::Error::other)?);
        Ok(copy)
    }

    /// Copies memory into it.
    ///
    /// # Errors
    /// The code of the call.
    pub fn write(&self, address: usize, bytes: &[u8]) -> io::Result<()> {
        let length = u32::try_from(bytes.len()).map_err(io::Error::other)?;
        // SAFETY: the bytes are as many as the length says and outlive the call.
        let code =
            unsafe { mach_vm_write(self.0, address as u64, bytes.as_ptr() as usize, length) };
        kernel("mach_vm_write", code)
    }
}

/// The path of a file that another process has open.
///
/// # Errors
/// The errno of proc_pidfdinfo (libproc.h).
pub fn path_of(process: i32, descriptor: i32) -> io::Result<Vec<u8>> {
    /// `PROC_PIDFDVNODEPATHINFO`, and `struct vnode_fdinfowithpath` of sys/proc_info.h: where in it the
    /// path stands, and how long it is.
    const PATH_INFO: i32 = 2;
    const PATH: usize = 176;
    const LENGTH: usize = 1200;
    let mut info = [0_u8; LENGTH];
    let (place, length) = (info.as_mut_ptr().cast(), LENGTH as i32);
    // SAFETY: the place is as long as the length says and outlives the call.
    let told = unsafe { libc::proc_pidfdinfo(process, descriptor, PATH_INFO, place, length) };
    if told <= 0 {
        return Err(io::Error::last_os_error());
    }
    let path = info.get(PATH..).and_then(|path| CStr::from_bytes_until_nul(path).ok());
    Ok(path.map(|path| path.to_bytes().to_vec()).unwrap_or_default())
}

// mach/mach_init.h, mach/mach_traps.h and mach/mach_vm.h.
unsafe extern "C" {
    static mach_task_self_: u32;
    fn task_for_pid(own: u32, process: i32, task: *mut u32) -> i32;
    fn mach_vm_read_overwrite(
        task: u32,
        address: u64,
        length: u64,
        place: u64,
        copied: *mut u64,
    ) -> i32;
    fn mach_vm_write(task: u32, address: u64, bytes: usize, length: u32) -> i32;
}
