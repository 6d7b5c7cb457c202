//! What a filter must know of a program and nobody knows before its launch: its process id, and the key by
//! which the launch, and nobody after it, executes.
//!
//! The key is why an execution can be let through once without anybody who answers for it: `execveat` takes its
//! descriptor and its flags as 32-bit integers, as `landlock_restrict_self` does; the filter sees whole registers; and
//! the kernel clears the registers of a new program (`ELF_PLAT_INIT`, `start_thread`). Who executes again has 63 random bits to
//! guess and one try, since the wrong ones kill.

use std::fmt;
use std::num::NonZeroU32;

/// What the launch of a program, and nobody after it, can put into the arguments of a call with the rule
/// [`super::Rule::Once`]: 32-bit integers, of which the kernel cuts off the upper halves after the filter has
/// seen them.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Key {
    /// The upper half of the first argument.
    pub first: u32,
    /// The upper half of the one that the rule names; never zero, which means no key.
    pub second: NonZeroU32,
}

/// Does not tell the key: it would let a program execute another one if it got there.
impl fmt::Debug for Key {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Key")
    }
}

/// What is known of a program only when it is launched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Own {
    /// Its process id.
    pub pid: u32,
    /// What its execution carries; `None` if nothing may be executed any more.
    pub key: Option<Key>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_told_to_nobody_who_prints_it() {
        let key = Key { first: 4_242, second: NonZeroU32::MAX };
        let own = Own { pid: 7, key: Some(key) };
        assert_eq!(format!("{own:?}"), "Own { pid: 7, key: Some(Key) }");
    }
}
