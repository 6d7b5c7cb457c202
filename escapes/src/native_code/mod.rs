//! Native code in the program's hands: whatever an interpreter and its hook forbid, machine code does
//! without asking them. Only what the operating system refuses to it is really refused.

pub(crate) mod acts;

/// The Python text of an act that is done by a carrier.
#[cfg(target_os = "linux")]
macro_rules! carried {
    ($($text:literal),+) => {
        Some(concat!(include_str!("acts/call.py"), $(include_str!($text)),+))
    };
}

/// The carriers of Python make calls of x86-64 Linux.
#[cfg(target_os = "macos")]
macro_rules! carried {
    ($($text:literal),+) => {
        None
    };
}

family! { machine_code, ctypes_call, library, memory_corruption, self_memory }

macos! { machine_code, ctypes_call }
