//! Which runtime is taken: none that is absent, and none that lies.

use crate::place::{Place, Told};
use backends::backend::Backend;
use backends::container::{Container, Runtime, container};
use backends::events::Observer;
use backends::executor::{Program, RunError};
use backends::policy::Limits;
use backends::session::{Session, SessionError};
use std::fs;
use std::path::Path;
use std::sync::Arc;

pub(super) fn nothing_runs() {
    let place = Place::new();
    let empty = place.base().join("empty");
    fs::create_dir(&empty).unwrap();
    let told = Arc::new(Told::default());
    let witness = place.run().join("witness");
    let refused = container().searched_in(&empty).prepare(&Place::policy(Limits::default()));
    let lost = refused.unwrap_err();
    let said = lost.to_string();
    for name in ["crun", "runc", "execve", empty.to_str().unwrap(), lost.remedy] {
        assert!(said.contains(name), "{said}");
    }
    let session = Session::builder()
        .base(place.base().join("sessions"))
        .backend(container().searched_in(&empty))
        .observer(Arc::clone(&told) as Arc<dyn Observer>)
        .build();
    let refused = session.run(&Program::python(format!("open({witness:?}, 'w')")));
    assert!(matches!(refused, Err(RunError::Session(SessionError::Unavailable(_)))));
    let told = told.0.lock().unwrap();
    assert_eq!(told.len(), 1);
    assert_eq!(told[0]["event"], "SANDBOX_UNAVAILABLE");
    assert_eq!(told[0]["repairable"], false);
    assert!(!witness.exists() && !place.base().join("sessions").exists());
}

/// A runtime that says yes to everything, one that starts nothing, and one that runs the program bare.
pub(super) fn a_liar_is_not_used() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let place = Place::new();
    let lies = [
        "exit 0",
        "exit 1",
        // The last argument but one is the bundle.
        "cd \"$7\" && exec sh -c 'true > /dev/null; printf looked > looked; (exit 0) && exit 55'",
    ];
    for (number, lie) in lies.into_iter().enumerate() {
        let folder = place.base().join(format!("lie-{number}"));
        fs::create_dir(&folder).unwrap();
        fs::write(folder.join("runc"), format!("#!/bin/sh\n{lie}\n")).unwrap();
        fs::set_permissions(folder.join("runc"), fs::Permissions::from_mode(0o755)).unwrap();
        for name in ["sh", "unshare"] {
            symlink(Path::new("/usr/bin").join(name), folder.join(name)).unwrap();
        }
        let refused = Container::of(Runtime::Runc)
            .searched_in(&folder)
            .prepare(&Place::policy(Limits::default()));
        assert!(refused.unwrap_err().to_string().contains("runc: "), "{lie}");
    }
}
