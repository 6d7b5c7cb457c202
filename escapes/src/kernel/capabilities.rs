//! Keep the capabilities of the launcher: with any of them the program is more than its user.

use fixtures::watch::held::CAPABILITIES;
use harness::escape::{Escape, Layer, Need};
use harness::twin::Twin;

pub(super) const ESCAPES: &[Escape] = &[Escape {
    id: "kernel/capabilities",
    summary: "Have capabilities over the host, kept from the launcher",
    techniques: &["KP-SETUIDCALL"],
    references: &["https://man7.org/linux/man-pages/man7/capabilities.7.html", "CWE-250"],
    // Any would do; this one every root has.
    needs: &[Need::Capability(0, "CAP_CHOWN")],
    decoys: &[CAPABILITIES],
    stops: &[Layer::Hygiene, Layer::MountNamespace],
    witnesses: &["hygiene/capabilities"],
    silent: Some("the program does nothing: it has capabilities or has none"),
    twin: Twin::OwnProcess,
    native: Some(|scene| {
        scene.show("capabilities")?;
        Ok(Vec::new())
    }),
    python: Some(include_str!("capabilities.py")),
    ..Escape::BLANK
}];
