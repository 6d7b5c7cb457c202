//! Linux. Names that a user types: a backend, a runtime. An unknown one lists the known ones.

use backends::audit_only::audit_only;
use backends::backend::Backend;
use backends::layered::Layered;
pub(super) use backends::layered::Weakening;
use backends::macos::seatbelt::seatbelt;
use backends::native::native;
use backends::none::none;
use backends::single::{landlock, seccomp};
use backends::wrapper::{Wrapper, WrapperError};
use reports::record::Runtime;
use std::path::Path;

/// The backends that this program brings along, by name.
pub(crate) const BACKENDS: [&str; 7] =
    ["none", "audit-only", "native", "landlock", "seccomp", "seatbelt", "bwrap"];

/// Why a backend that was asked for is not one.
#[derive(Debug, thiserror::Error)]
pub(crate) enum BackendError {
    /// Nobody knows the name.
    #[error("unknown backend {0:?}: the backends are {list}, or the path of a wrapper file that ends in .toml", list = BACKENDS.join(", "))]
    Unknown(String),
    /// The wrapper file is broken.
    #[error(transparent)]
    Wrapper(#[from] WrapperError),
}

/// The backend of this name, or of this wrapper file.
pub(crate) fn backend(name: &str) -> Result<Box<dyn Backend>, BackendError> {
    let own =
        |backend: Layered| -> Result<Box<dyn Backend>, BackendError> { Ok(Box::new(backend)) };
    match name {
        "none" => own(none()),
        "audit-only" => own(audit_only()),
        "native" => own(native()),
        "landlock" => own(landlock()),
        "seccomp" => own(seccomp()),
        "seatbelt" => Ok(Box::new(seatbelt())),
        "bwrap" => Ok(Box::new(Wrapper::bubblewrap()?)),
        file if file.ends_with(".toml") => Ok(Box::new(Wrapper::from_file(Path::new(file))?)),
        unknown => Err(BackendError::Unknown(unknown.to_owned())),
    }
}

/// `native` with one protection taken away.
pub(super) fn weakened(weakening: Weakening) -> Box<dyn Backend> {
    Box::new(native().without(weakening))
}

/// The runtime of this name.
pub(crate) fn runtime(name: &str) -> Result<Runtime, String> {
    match name {
        "native" => Ok(Runtime::Native),
        "python" => Ok(Runtime::Python),
        unknown => Err(format!("unknown runtime {unknown:?}: the runtimes are native, python")),
    }
}
