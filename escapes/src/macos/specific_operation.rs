//! Read what a denial of the wider operation leaves open: the attributes of a file.

use harness::escape::{Escape, Layer};

pub(super) const ESCAPES: &[Escape] = &[Escape {
    id: "macos/specific-operation",
    summary: "Read a secret in an extended attribute, which is an operation of its own",
    techniques: &["MC-OPSPECIFIC"],
    references: &["https://github.com/GreyhavenHQ/greywall/pull/20"],
    stops: &[Layer::Seatbelt],
    witnesses: &["seatbelt/default"],
    native: Some(|scene| {
        let mut value = vec![0; 256];
        let path = scene.path("attributed")?;
        let length = rustix::fs::getxattr(path, "user.decoy", value.as_mut_slice())?;
        value.truncate(length);
        Ok(value)
    }),
    ..Escape::BLANK
}];
