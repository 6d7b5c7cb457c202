//! What is mounted below a granted directory, on a host that has such mounts: a process of its own.

use crate::place::{ACTS, Place, asked_for, command, needed, text};
use backends::backend::Backend;
use backends::container::{Container, Engine};
use backends::policy::Policy;
use std::fs;
use std::io::Write;
use std::path::Path;

/// The same in a mount namespace that has a file system below the granted directory.
#[expect(clippy::disallowed_methods, reason = "a host with mounts of its own is another process")]
pub(super) fn mounted(engine: Engine) {
    let place = Place::new();
    fs::create_dir_all(place.base().join("granted/below")).unwrap();
    let script = "mount -t tmpfs none \"$1/granted/below\" && exec \"$2\"";
    let host = std::process::Command::new("unshare")
        .args(["--user", "--map-root-user", "--mount", "--", "sh", "-c", script, "sh"])
        .args([place.base(), std::env::current_exe().unwrap()])
        .env("ESCAPOLOGY_TEST_MOUNTED", place.base())
        .env("ESCAPOLOGY_TEST_ENGINE", engine.name())
        .output()
        .unwrap();
    let said = String::from_utf8(host.stdout).unwrap();
    assert_eq!(said, "read given\nwrite OSError\n", "{}", String::from_utf8_lossy(&host.stderr));
}

pub(super) fn write_below(base: &Path) {
    let engine = asked_for();
    let (run, granted) = (base.join("run"), base.join("granted"));
    let file = granted.join("below/file");
    // The host itself may write there.
    fs::write(&file, "given").unwrap();
    let policy = needed(Policy::builder().read(&granted).unwrap());
    let program = format!(
        "{ACTS}
act('read', lambda: open({file:?}).read())
act('write', lambda: open({file:?}, 'w').write('x'))"
    );
    let confinement = Container::of(engine).prepare(&policy).unwrap();
    let said = text(&confinement.launch(command(&run, &program)).unwrap().wait().unwrap());
    std::io::stdout().write_all(said.as_bytes()).unwrap();
}
