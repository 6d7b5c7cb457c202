//! Linux. Names that a user types: a backend, a runtime. An unknown one lists the known ones.

use backends::audit_only::audit_only;
use backends::backend::Backend;
use backends::container::{Container, Engine, Runtime as ContainerRuntime, container};
use backends::layered::Layered;
pub(super) use backends::layered::Weakening;
use backends::macos::seatbelt::seatbelt;
use backends::native::{native, native_hidden};
use backends::none::none;
use backends::single::{hygiene, landlock, mount_namespace, seccomp};
use backends::wrapper::{Wrapper, WrapperError};
use reports::record::Runtime;
use std::path::Path;

/// The backends that this program brings along, by name.
pub(crate) const BACKENDS: [&str; 14] = [
    "none",
    "audit-only",
    "native",
    "native-hidden",
    "landlock",
    "seccomp",
    "hygiene",
    "mount-namespace",
    "seatbelt",
    "bwrap",
    "container",
    "crun",
    "runc",
    "podman",
];

/// The backends that are one layer. The bare process shows the hook of Python alone.
pub(super) const LAYERS: [&str; 5] = ["none", "landlock", "seccomp", "hygiene", "mount-namespace"];

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
        "native-hidden" => own(native_hidden()),
        "landlock" => own(landlock()),
        "seccomp" => own(seccomp()),
        "hygiene" => own(hygiene()),
        "mount-namespace" => own(mount_namespace()),
        "seatbelt" => Ok(Box::new(seatbelt())),
        "container" => Ok(Box::new(container())),
        "crun" => Ok(Box::new(Container::of(Engine::Direct(ContainerRuntime::Crun)))),
        "runc" => Ok(Box::new(Container::of(Engine::Direct(ContainerRuntime::Runc)))),
        "podman" => Ok(Box::new(Container::podman())),
        "bwrap" => Ok(Box::new(Wrapper::bubblewrap()?)),
        file if file.ends_with(".toml") => Ok(Box::new(Wrapper::from_file(Path::new(file))?)),
        unknown => Err(BackendError::Unknown(unknown.to_owned())),
    }
}

/// `native` with one protection taken away.
pub(super) fn weakened(weakening: Weakening, hide_metadata: bool) -> Box<dyn Backend> {
    Box::new(layered(hide_metadata).without(weakening))
}

/// `native`, without or with a mount namespace that hides what is not granted.
pub(crate) fn native_of(hide_metadata: bool) -> Box<dyn Backend> {
    Box::new(layered(hide_metadata))
}

/// As [`native_of`], to ask for what the kernel would be told.
pub(super) fn layered(hide_metadata: bool) -> Layered {
    if hide_metadata { native_hidden() } else { native() }
}

/// The runtime of this name.
pub(crate) fn runtime(name: &str) -> Result<Runtime, String> {
    match name {
        "native" => Ok(Runtime::Native),
        "python" => Ok(Runtime::Python),
        unknown => Err(format!("unknown runtime {unknown:?}: the runtimes are native, python")),
    }
}
