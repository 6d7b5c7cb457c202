//! Native code in the program's hands: whatever an interpreter and its hook forbid, machine code does
//! without asking them. Only what the operating system refuses to it is really refused.

pub(crate) mod acts;

use harness::escape::Need;

/// The Python text of an act that is done by a carrier. A carrier of which the systems have texts of their
/// own names both: `"of Linux" or "of macOS"`.
#[cfg(target_os = "linux")]
macro_rules! carried {
    ($text:literal or $($other:literal)and+ $(, $more:literal)*) => {
        carried!($text $(, $more)*)
    };
    ($($text:literal),+) => {
        Some(concat!(
            include_str!("acts/memory.py"),
            include_str!("acts/linux.py"),
            $(include_str!($text)),+
        ))
    };
}

#[cfg(target_os = "macos")]
macro_rules! carried {
    ($other:literal or $($text:literal)and+ $(, $more:literal)*) => {
        carried!($($text),+ $(, $more)*)
    };
    ($($text:literal),+) => {
        Some(concat!(
            include_str!("acts/memory.py"),
            include_str!("acts/macos.py"),
            $(include_str!($text)),+
        ))
    };
}

/// Code is assembled for the processor for which this is compiled, and a library built for it.
#[cfg(target_os = "linux")]
const NEEDS: &[Need] = &[Need::Linux, Need::Architecture("x86_64")];
#[cfg(target_os = "macos")]
const NEEDS: &[Need] = &[Need::MacOs];

family! { machine_code, ctypes_call, library, memory_corruption, self_memory }

macos! { machine_code, ctypes_call, library, memory_corruption }
