//! How a path is spelled. Every spelling leads through a name that is the world's own, or is beneath a
//! directory that the program has, which is one of the world: whatever a program did to its root, its
//! working directory or its links, it finds nothing of the host there.

use super::super::words::object;
use super::Machine;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

impl Machine<'_> {
    /// The path to an object, spelled so.
    pub(super) fn spell(&self, name: &str, spelling: &str) -> io::Result<PathBuf> {
        let path = self.absolute(name)?;
        let world = self.scene.run().parent().ok_or(io::ErrorKind::InvalidData)?;
        let outside = self.scene.path("outside")?;
        let within = path.strip_prefix(world).ok();
        let own = world.file_name().map(Path::new).zip(within).map(|(own, rest)| own.join(rest));
        Ok(match (spelling, within, own) {
            ("dotted", Some(rest), _) => joined(&self.scene.run().join(".."), rest),
            ("climbing", _, Some(own)) => joined(Path::new("../../.."), &own),
            ("own-directory", _, Some(own)) => joined(Path::new("/proc/self/cwd/../../.."), &own),
            ("beneath", ..) => path.strip_prefix(&outside).unwrap_or(&path).to_owned(),
            ("slashes", ..) => prefixed("//", &path),
            ("own-root", ..) => prefixed("/proc/self/root", &path),
            ("thread-root", ..) => prefixed("/proc/thread-self/root", &path),
            ("victim-root", ..) => {
                prefixed(&format!("/proc/{}/root", self.scene.text("victim")?), &path)
            }
            _plainly => path,
        })
    }

    fn absolute(&self, name: &str) -> io::Result<PathBuf> {
        let object = object(name).ok_or(io::ErrorKind::InvalidData)?;
        let mut path = match object.clue {
            None => self.folder.clone(),
            Some("own-folder") => PathBuf::from("/proc/self"),
            Some("victim-folder") => PathBuf::from(format!("/proc/{}", self.scene.text("victim")?)),
            Some(clue) => self.scene.path(clue)?,
        }
        .into_os_string();
        path.push(match object.rest.strip_suffix("{victim-fd}") {
            Some(start) => format!("{start}{}", self.scene.text("victim-fd")?),
            None => object.rest.to_owned(),
        });
        Ok(path.into())
    }
}

/// Joins what the kernel is to resolve as it stands.
fn joined(start: &Path, rest: &Path) -> PathBuf {
    let mut path = start.as_os_str().to_owned();
    if !rest.as_os_str().as_bytes().is_empty() {
        path.push("/");
        path.push(rest);
    }
    path.into()
}

fn prefixed(prefix: &str, path: &Path) -> PathBuf {
    let mut spelled = std::ffi::OsString::from(prefix);
    spelled.push(path);
    spelled.into()
}
