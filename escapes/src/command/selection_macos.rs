//! macOS. Names that a user types: a backend, a runtime. An unknown one lists the known ones.

use backends::audit_only::audit_only;
use backends::backend::Backend;
use backends::macos::seatbelt::seatbelt;
use backends::native::native;
use backends::none::none;
use reports::record::Runtime;

/// The backends that this program brings along, by name.
pub(crate) const BACKENDS: [&str; 4] = ["none", "audit-only", "native", "seatbelt"];

/// The backends that are one layer. The bare process shows the hook of Python alone.
pub(super) const LAYERS: [&str; 2] = ["none", "seatbelt"];

/// Why a backend that was asked for is not one.
#[derive(Debug, thiserror::Error)]
pub(crate) enum BackendError {
    /// Nobody knows the name.
    #[error("unknown backend {0:?}: the backends are {list}; wrapper files are for Linux", list = BACKENDS.join(", "))]
    Unknown(String),
}

/// The backend of this name.
pub(crate) fn backend(name: &str) -> Result<Box<dyn Backend>, BackendError> {
    match name {
        "none" => Ok(Box::new(none())),
        "audit-only" => Ok(Box::new(audit_only())),
        "native" => Ok(Box::new(native())),
        "seatbelt" => Ok(Box::new(seatbelt())),
        unknown => Err(BackendError::Unknown(unknown.to_owned())),
    }
}

/// What can be taken away from `native` by hand: nothing here. The mutants of the profile are tried by
/// the evaluator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Weakening {}

impl Weakening {
    /// All of them.
    pub(super) const ALL: [Self; 0] = [];

    /// The word for it on the command line.
    pub(super) fn name(self) -> &'static str {
        match self {}
    }
}

/// `native` with one protection taken away.
pub(super) fn weakened(weakening: Weakening, _hide_metadata: bool) -> Box<dyn Backend> {
    match weakening {}
}

/// `native`. The Mac's sandbox denies looking at a path as it denies reading: there is no more to hide.
pub(crate) fn native_of(_hide_metadata: bool) -> Box<dyn Backend> {
    Box::new(native())
}

/// The runtime of this name.
pub(crate) fn runtime(name: &str) -> Result<Runtime, String> {
    match name {
        "native" => Ok(Runtime::Native),
        "python" => Ok(Runtime::Python),
        unknown => Err(format!("unknown runtime {unknown:?}: the runtimes are native, python")),
    }
}
