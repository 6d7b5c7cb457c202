//! The system call filter as plain data: what is allowed, what each refusal answers.
//!
//! The serialised form is canonical. It holds strings and small integers only; maps and sets are
//! ordered; 64-bit values are hexadecimal text, because a JSON number above 2^53 does not survive
//! every reader (RFC 8785). All fields are public so that a rule, a clause or a check can be taken
//! away one at a time.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

/// A whole system call filter for one architecture.
///
/// Meaning, in this order: a call of another architecture gets `foreign_arch`; an x32 call, where
/// the architecture has such, gets `x32`; a call with a rule gets what its rule says; every other
/// call gets `default`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Filter {
    /// The architecture whose numbers the rules mean.
    pub arch: Arch,
    /// What a call of any other architecture gets, such as `int 0x80` on x86_64. Its numbers mean
    /// other calls, so no rule may be applied to them.
    pub foreign_arch: Action,
    /// What a call with an x32 number gets. x32 shares the audit value of x86_64 and aliases its
    /// calls under other numbers. Without effect where [`Arch::has_x32`] is false.
    pub x32: Action,
    /// What a call without a rule gets.
    pub default: Action,
    /// The rules by system call name.
    pub rules: BTreeMap<String, Rule>,
}

/// An architecture that filters exist for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Arch {
    /// 64-bit x86.
    X86_64,
    /// 64-bit Arm, little-endian.
    Aarch64,
}

impl Arch {
    /// The first x32 number, `__X32_SYSCALL_BIT` of `asm/unistd.h`. No number of the native
    /// interface is as large, so everything from here on is treated as x32.
    pub const X32_FIRST: u32 = 0x4000_0000;

    /// The architecture of this build, if filters exist for it.
    pub const fn native() -> Option<Self> {
        if cfg!(target_arch = "x86_64") {
            Some(Self::X86_64)
        } else if cfg!(all(target_arch = "aarch64", target_endian = "little")) {
            Some(Self::Aarch64)
        } else {
            None
        }
    }

    /// The value of `seccomp_data.arch`: `AUDIT_ARCH_*` of `linux/audit.h`.
    pub const fn audit_value(self) -> u32 {
        match self {
            Self::X86_64 => 0xc000_003e,
            Self::Aarch64 => 0xc000_00b7,
        }
    }

    /// Whether x32 numbers share this architecture's audit value.
    pub const fn has_x32(self) -> bool {
        match self {
            Self::X86_64 => true,
            Self::Aarch64 => false,
        }
    }
}

/// What the kernel does with a call, `seccomp(2)`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Action {
    /// The call runs.
    Allow,
    /// The call does not run and answers this error.
    Errno(Errno),
    /// The whole process dies by `SIGSYS`.
    KillProcess,
}

impl Action {
    /// The value that a filter program returns for this action, `linux/seccomp.h`.
    pub const fn return_value(self) -> u32 {
        match self {
            Self::Allow => libc::SECCOMP_RET_ALLOW,
            Self::Errno(errno) => libc::SECCOMP_RET_ERRNO | errno.number() as u32,
            Self::KillProcess => libc::SECCOMP_RET_KILL_PROCESS,
        }
    }

    /// The action of a returned value; `None` for values that no [`Action`] has.
    pub fn from_return_value(value: u32) -> Option<Self> {
        let errnos = Errno::ALL.into_iter().map(Self::Errno);
        [Self::Allow, Self::KillProcess]
            .into_iter()
            .chain(errnos)
            .find(|action| action.return_value() == value)
    }
}

/// An answer that a refused call gives. The numbers are the same on every architecture of [`Arch`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum Errno {
    /// Nothing happens and the call reports success.
    Success,
    /// Operation not permitted.
    Eperm,
    /// Permission denied.
    Eacces,
    /// Invalid argument.
    Einval,
    /// Inappropriate ioctl for device.
    Enotty,
    /// Function not implemented.
    Enosys,
    /// Operation not supported.
    Enotsup,
}

impl Errno {
    /// Every answer.
    pub const ALL: [Self; 7] = [
        Self::Success,
        Self::Eperm,
        Self::Eacces,
        Self::Einval,
        Self::Enotty,
        Self::Enosys,
        Self::Enotsup,
    ];

    /// The number in `errno.h`, 0 for success.
    pub const fn number(self) -> u16 {
        match self {
            Self::Success => 0,
            Self::Eperm => 1,
            Self::Eacces => 13,
            Self::Einval => 22,
            Self::Enotty => 25,
            Self::Enosys => 38,
            Self::Enotsup => 95,
        }
    }
}

/// What the filter says about one system call.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Rule {
    /// The same for all arguments.
    Always(Action),
    /// It depends on the arguments.
    Checked {
        /// The call is allowed if any of these clauses holds; never, if there is none.
        allow_if: BTreeSet<Clause>,
        /// The answer otherwise.
        otherwise: Errno,
    },
    /// The call never runs. It reports success, which programs ask for that give up on any error, but for a question:
    /// who is told yes falsely does the wrong thing.
    Feigned {
        /// It is refused if any of these clauses holds.
        refuse_if: BTreeSet<Clause>,
        /// The answer then.
        refused: Errno,
    },
    /// The call runs if it carries the key of its launch (see [`super::Key`]) in the upper halves of its first
    /// argument and of this one, both of which the kernel takes for 32-bit integers. With no key at all it
    /// answers `ENOSYS`, as on a kernel without it; with another the whole process dies by `SIGSYS`, so nobody tries
    /// twice. For what a launch does behind its own filter.
    Once {
        /// The second argument that carries a half, 1 to 5.
        second: u8,
    },
}

/// Checks that must all hold. A clause without a check always holds.
pub type Clause = BTreeSet<Check>;

/// A comparison of one argument: `argument & mask == operand`, in the given width.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Check {
    /// Which argument, 0 to 5.
    pub argument: u8,
    /// How much of it.
    pub width: Width,
    /// The bits that are compared.
    #[serde(with = "hexadecimal")]
    pub mask: u64,
    /// What they are compared with.
    pub operand: Operand,
}

/// How much of an argument is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Width {
    /// The low 32 bits. For every parameter that the kernel declares as a 32-bit integer: the
    /// kernel cuts the register off, so a filter that looked at the high half would judge a value
    /// that the call never sees.
    Low32,
    /// All 64 bits, for pointers and longs.
    Full64,
}

impl Width {
    /// A mask of every bit of this width.
    pub const fn all_bits(self) -> u64 {
        match self {
            Self::Low32 => u32::MAX as u64,
            Self::Full64 => u64::MAX,
        }
    }
}

/// What an argument is compared with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Operand {
    /// A fixed value.
    Constant(#[serde(with = "hexadecimal")] u64),
    /// The process id of the confined program, known only when it is launched.
    OwnPid,
}

impl Check {
    /// The 32-bit `argument` equals `value`.
    pub const fn equals(argument: u8, value: u32) -> Self {
        Self::masked(argument, u32::MAX, value)
    }

    /// The bits of `mask` in the 32-bit `argument` equal `value`.
    pub const fn masked(argument: u8, mask: u32, value: u32) -> Self {
        let operand = Operand::Constant(value as u64);
        Self { argument, width: Width::Low32, mask: mask as u64, operand }
    }

    /// The pointer `argument` is null.
    pub const fn null(argument: u8) -> Self {
        let operand = Operand::Constant(0);
        Self { argument, width: Width::Full64, mask: u64::MAX, operand }
    }

    /// The process id `argument` is the program's own.
    pub const fn own_pid(argument: u8) -> Self {
        let width = Width::Low32;
        Self { argument, width, mask: width.all_bits(), operand: Operand::OwnPid }
    }
}

/// 64-bit values as `0x…` text with exactly one spelling.
mod hexadecimal {
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    pub(super) fn serialize<S: Serializer>(value: &u64, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(&format!("{value:#x}"))
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<u64, D::Error> {
        let text = String::deserialize(from)?;
        text.strip_prefix("0x")
            .and_then(|digits| u64::from_str_radix(digits, 16).ok())
            .filter(|value| format!("{value:#x}") == text)
            .ok_or_else(|| D::Error::custom("expected a hexadecimal value such as 0x1f"))
    }
}

#[cfg(test)]
mod tests;
