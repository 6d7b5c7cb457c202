//! Linux. What confines the programs of a session.

use crate::audit_only::audit_only;
use crate::backend::Backend;
use crate::container::container;
use crate::native::native;
use std::fmt;
use std::str::FromStr;

/// What confines the programs of a session.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mode {
    /// The best that is built in: `native`.
    #[default]
    Auto,
    /// Landlock, the system call filter and hygiene.
    Native,
    /// A container for each program, made by an engine of the host: `crun`, `runc` or `podman`. Where none works the
    /// session is unavailable. What a third party applies, nothing commits to.
    Container,
    /// Hygiene, limits and the Python hook, **no confinement by the operating system**. The only way to
    /// run without it, and never chosen but by name.
    AuditOnly,
}

/// A text that names no mode.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown mode {0:?}: the modes are auto, native, container and audit-only")]
pub struct UnknownMode(String);

impl Mode {
    pub(super) fn backend(self) -> Box<dyn Backend> {
        match self {
            Self::Auto | Self::Native => Box::new(native()),
            Self::Container => Box::new(container()),
            Self::AuditOnly => Box::new(audit_only()),
        }
    }
}

impl fmt::Display for Mode {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Auto => "auto",
            Self::Native => "native",
            Self::Container => "container",
            Self::AuditOnly => "audit-only",
        })
    }
}

impl FromStr for Mode {
    type Err = UnknownMode;

    fn from_str(text: &str) -> Result<Self, UnknownMode> {
        match text {
            "auto" => Ok(Self::Auto),
            "native" => Ok(Self::Native),
            "container" => Ok(Self::Container),
            "audit-only" => Ok(Self::AuditOnly),
            _ => Err(UnknownMode(text.to_owned())),
        }
    }
}
