//! Native code in the program's hands: whatever an interpreter and its hook forbid, machine code does
//! without asking them. Only what the operating system refuses to it is really refused.

#[cfg(target_os = "linux")]
pub(crate) mod acts;

/// The Python text of an act that is done by a carrier.
#[cfg(target_os = "linux")]
macro_rules! carried {
    ($($text:literal),+) => {
        concat!(include_str!("acts/call.py"), $(include_str!($text)),+)
    };
}

family! { machine_code, ctypes_call, library, memory_corruption, self_memory }

macos! { ctypes_call }
