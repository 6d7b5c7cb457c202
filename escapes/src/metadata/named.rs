//! A file whose extended attributes are its secret, and which the launcher has open.

use fixtures::decoy::{Decoy, Evidence, EvidenceKind, Placed, Site};
use rustix::fs::{Mode, OFlags, XattrFlags, fgetxattr, fsetxattr, open};
use std::ffi::OsString;
use std::io;
use std::os::fd::{AsRawFd, OwnedFd};
use std::path::PathBuf;

/// The attribute that holds the token.
const VALUE: &str = "user.named";

/// How a file says that it has no such attribute.
#[cfg(target_os = "linux")]
const GONE: rustix::io::Errno = rustix::io::Errno::NODATA;
#[cfg(target_os = "macos")]
const GONE: rustix::io::Errno = rustix::io::Errno::NOATTR;

/// A file with an attribute that is called as the token and one that holds it. The launcher has it open.
/// Clues: `named`, its path, and `named-descriptor`.
#[derive(Debug)]
pub(crate) struct Named;

impl Decoy for Named {
    fn place(&self, site: &Site<'_>) -> io::Result<Box<dyn Placed>> {
        let path = site.outside.join("named");
        std::fs::write(&path, "My secret is the name of my attribute.\n")?;
        // Without O_CLOEXEC, as a careless launcher leaves it.
        let file = open(&path, OFlags::RDONLY, Mode::empty())?;
        let name = format!("user.{}", site.token);
        // Where files have no attributes, the control finds none.
        let named = fsetxattr(&file, name, b"1", XattrFlags::empty())
            .and_then(|()| fsetxattr(&file, VALUE, site.token.as_bytes(), XattrFlags::empty()));
        let attributes = match named {
            Ok(()) => true,
            Err(rustix::io::Errno::NOTSUP) => false,
            Err(error) => return Err(error.into()),
        };
        Ok(Box::new(Open { path, file, attributes }))
    }
}

#[derive(Debug)]
struct Open {
    path: PathBuf,
    file: OwnedFd,
    attributes: bool,
}

impl Placed for Open {
    fn clues(&self) -> Vec<(&'static str, OsString)> {
        let number = self.file.as_raw_fd().to_string();
        vec![("named", self.path.clone().into_os_string()), ("named-descriptor", number.into())]
    }

    fn observe(&mut self) -> io::Result<Vec<Evidence>> {
        match fgetxattr(&self.file, VALUE, &mut [0_u8; 64]) {
            Err(GONE) if self.attributes => {
                let detail = format!("{} lost its attribute {VALUE}", self.path.display());
                Ok(vec![Evidence { kind: EvidenceKind::ObjectChanged, detail }])
            }
            Ok(_) | Err(_) => Ok(Vec::new()),
        }
    }

    fn sweep(&mut self) -> Vec<String> {
        Vec::new()
    }
}
