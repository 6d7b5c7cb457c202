//! Sessions whose programs run in containers.

use crate::place::{Place, Told, living_in, seeing, until};
use backends::events::Observer;
use backends::executor::{Outcome, Program};
use backends::harvest::HarvestLimits;
use backends::session::{Mode, Session};
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::sync::Arc;

pub(super) fn session() {
    let place = Place::new();
    let told = Arc::new(Told::default());
    let base = place.base().join("sessions");
    let session = Session::builder()
        .base(&base)
        .mode(Mode::Container)
        .observer(Arc::clone(&told) as Arc<dyn Observer>)
        .build();
    let first = session.run(&Program::python("open('a', 'w').write('first')")).unwrap();
    assert_eq!(*first.outcome(), Outcome::Exited(0));
    // The second neither sees nor reaches what the first has left.
    let look = "import os\nprint(os.listdir('..'), os.listdir('.'), os.getpid())";
    let second = session.run(&Program::python(look)).unwrap();
    let said = String::from_utf8_lossy(second.stdout()).into_owned();
    assert_eq!(said, "['directory', 'program.py'] ['tmp'] 1\n");
    let harvest = first.harvest("a", &HarvestLimits::default()).unwrap();
    assert_eq!(harvest.files()[0].read().unwrap(), b"first");
    drop((first, second, harvest));
    drop(session);
    assert_eq!(fs::read_dir(&base).unwrap().count(), 0);
    let told = told.0.lock().unwrap();
    let made = told.iter().find(|event| event["event"] == "SANDBOX_SESSION").unwrap();
    assert_eq!((&made["backend"], &made["commitment"]), (&"container".into(), &Value::Null));
    assert!(made["mechanism"].as_str().unwrap().contains("namespaces"));
}

/// A host that waits for its program, which waits for its end.
pub(super) fn host(base: &Path) {
    let session = Session::builder().base(base).mode(Mode::Container).build();
    let program = "open('began', 'w')\nimport time\ntime.sleep(1000)";
    // It is killed before that ends.
    session.run(&Program::python(program)).unwrap();
}

#[expect(clippy::disallowed_methods, reason = "a host that is killed is a process of its own")]
pub(super) fn killed() {
    let place = Place::new();
    let base = place.base().join("sessions");
    let mut child = std::process::Command::new(std::env::current_exe().unwrap())
        .env("ESCAPOLOGY_TEST_HOST", &base)
        .spawn()
        .unwrap();
    let began = || {
        let roots = fs::read_dir(&base).into_iter().flatten().flatten();
        roots.map(|root| root.path().join("run-1/directory/began")).find(|began| began.exists())
    };
    until(|| began().is_some());
    let directory = began().unwrap().parent().unwrap().to_owned();
    assert_eq!(living_in(&directory).len(), 1);
    assert!(!seeing(&base).is_empty());
    child.kill().unwrap();
    child.wait().unwrap();
    until(|| seeing(&base).is_empty());
    assert!(directory.exists());
    let next = Session::builder().base(&base).mode(Mode::Container).build();
    next.run(&Program::python("")).unwrap();
    assert!(!directory.exists());
}
