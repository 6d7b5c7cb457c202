//! The catalogue of escapes: one escape, one file; the folder is the family, the path is the id.
//! The list is explicit, and a test keeps list, files and ids equal.

use harness::escape::Escape;

#[cfg(target_os = "linux")]
pub mod mutation;
#[cfg(target_os = "linux")]
mod own_names;
#[cfg(target_os = "linux")]
mod pages;
#[cfg(target_os = "linux")]
pub mod raw;
#[cfg(target_os = "macos")]
#[path = "raw/macos/mod.rs"]
pub mod raw_macos;
#[path = "raw/posix.rs"]
pub mod raw_posix;
#[cfg(target_os = "macos")]
pub use raw_macos as raw;
#[cfg(target_os = "linux")]
mod ring;
#[cfg(target_os = "linux")]
pub mod search;
pub mod seatbelt;
pub mod table;
pub mod useful;

/// Declares files of a family. Each file holds `ESCAPES`: one escape, or the variants of one idea.
macro_rules! files {
    ($($file:ident),* $(,)?) => {
        $(mod $file;)*
        /// The escapes of this family, file by file.
        pub(crate) const FAMILY: &[(&str, &[harness::escape::Escape])] =
            &[$((stringify!($file), $file::ESCAPES)),*];
    };
}

/// Declares the files of a family on Linux: all of them.
macro_rules! family {
    ($($file:ident),* $(,)?) => {
        #[cfg(target_os = "linux")]
        files! { $($file),* }
    };
}

/// Declares those files of a family that macOS has, too.
macro_rules! macos {
    ($($file:ident),* $(,)?) => {
        #[cfg(target_os = "macos")]
        files! { $($file),* }
    };
}

/// Declares the families.
macro_rules! catalogue {
    ($($(#[$condition:meta])? $family:ident),* $(,)?) => {
        $($(#[$condition])? mod $family;)*
        /// Family, file and escapes, as the source tree has them.
        const FILES: &[(&str, &[(&str, &[Escape])])] =
            &[$($(#[$condition])? (stringify!($family), $family::FAMILY)),*];
    };
}

catalogue! {
    fs_read, metadata, fs_write, plant, environment,
    exec, network, ipc,
    process, kernel, layer, native_code, hook,
    resource,
    #[cfg(target_os = "macos")] macos,
}

/// Every escape, in the order of the list.
pub fn all() -> Vec<&'static Escape> {
    FILES
        .iter()
        .flat_map(|(_, files)| files.iter())
        .flat_map(|(_, escapes)| escapes.iter())
        .collect()
}

/// Where each escape is declared: family, file and id.
pub fn sources() -> Vec<(&'static str, &'static str, &'static str)> {
    let mut sources = Vec::new();
    for (family, files) in FILES {
        for (file, escapes) in *files {
            sources.extend(escapes.iter().map(|escape| (*family, *file, escape.id)));
        }
    }
    sources
}

/// What the stage can play besides escapes: the helper processes of a world, and native useful work.
pub fn parts() -> Vec<(&'static str, harness::stage::Part)> {
    useful::parts().into_iter().chain(helpers()).collect()
}

fn helpers() -> Vec<(&'static str, harness::stage::Part)> {
    vec![
        #[cfg(target_os = "linux")]
        (search::interpret::NAME, search::interpret::stage),
        (fixtures::watch::victim::NAME, |_scene, _arguments| fixtures::watch::victim::main()),
        (fixtures::watch::pty::NAME, |_scene, _arguments| fixtures::watch::pty::main()),
    ]
}
