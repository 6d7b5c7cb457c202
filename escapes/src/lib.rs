//! The catalogue of escapes: one escape, one file; the folder is the family, the path is the id.
//! The list is explicit, and a test keeps list, files and ids equal.

use harness::escape::Escape;

#[cfg(target_os = "linux")]
pub mod raw;
#[cfg(target_os = "linux")]
mod ring;
#[cfg(target_os = "linux")]
pub mod useful;

/// Declares the files of a family. Each file holds `ESCAPES`: one escape, or the variants of one idea.
macro_rules! family {
    ($($file:ident),* $(,)?) => {
        $(mod $file;)*
        /// The escapes of this family, file by file.
        pub(crate) const FAMILY: &[(&str, &[harness::escape::Escape])] =
            &[$((stringify!($file), $file::ESCAPES)),*];
    };
}

/// Declares the families.
macro_rules! catalogue {
    ($($family:ident),* $(,)?) => {
        $(mod $family;)*
        /// Family, file and escapes, as the source tree has them.
        const FILES: &[(&str, &[(&str, &[Escape])])] =
            &[$((stringify!($family), $family::FAMILY)),*];
    };
}

catalogue! {
    fs_read, metadata, fs_write, plant, environment,
    exec, network, ipc,
    process, kernel, layer, native_code, hook,
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
    let mut parts: Vec<(&'static str, harness::stage::Part)> = vec![
        (fixtures::watch::victim::NAME, |_scene, _arguments| fixtures::watch::victim::main()),
        (fixtures::watch::pty::NAME, |_scene, _arguments| fixtures::watch::pty::main()),
    ];
    #[cfg(target_os = "linux")]
    parts.extend(useful::parts());
    parts
}
