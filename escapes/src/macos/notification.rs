//! Tell others something by a service of the system: whoever listens for the name hears of it.

use crate::fs_write::effect::done;
use crate::raw_macos::service::{Listener, look_up, post};
use fixtures::decoy::{Decoy, Evidence, EvidenceKind, Placed, Site};
use harness::escape::{Escape, Layer};
use harness::scene::Scene;
use std::ffi::{CString, OsString};
use std::io;

pub(super) const ESCAPES: &[Escape] = &[Escape {
    id: "macos/notification",
    summary: "Post a notification that a process outside listens for",
    techniques: &["MC-PASTEBOARD"],
    references: &[
        "https://github.com/anthropic-experimental/sandbox-runtime/issues/83",
        "https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man3/notify.3.html",
    ],
    decoys: &[&Notification],
    stops: &[Layer::Seatbelt],
    witnesses: &["seatbelt/default"],
    native: Some(tell),
    ..Escape::BLANK
}];

fn tell(scene: &Scene) -> io::Result<Vec<u8>> {
    // The library does not tell why it failed; the lookup of its service does.
    look_up(c"com.apple.system.notification_center")?;
    done(post(&CString::new(scene.text("notification")?)?))
}

/// Clue `notification`: a name that somebody outside listens for.
#[derive(Debug)]
struct Notification;

impl Decoy for Notification {
    fn place(&self, site: &Site<'_>) -> io::Result<Box<dyn Placed>> {
        let name = format!("escapology.{}", site.nonce);
        let listener = Listener::begin(&CString::new(name.as_str())?)?;
        Ok(Box::new(Listening { name, listener: Some(listener) }))
    }
}

#[derive(Debug)]
struct Listening {
    name: String,
    listener: Option<Listener>,
}

impl Placed for Listening {
    fn clues(&self) -> Vec<(&'static str, OsString)> {
        vec![("notification", self.name.clone().into())]
    }

    fn observe(&mut self) -> io::Result<Vec<Evidence>> {
        let heard = self.listener.as_ref().map_or(Ok(false), Listener::heard)?;
        let detail = format!("the notification {} was heard", self.name);
        let evidence = Evidence { kind: EvidenceKind::Contacted, detail };
        Ok(heard.then_some(evidence).into_iter().collect())
    }

    fn sweep(&mut self) -> Vec<String> {
        self.listener = None;
        Vec::new()
    }
}
