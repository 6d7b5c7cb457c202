//! The arguments and the streams of a program in a container.

use crate::place::Place;
use backends::backend::Backend;
use backends::child::{Completed, Exit};
use backends::container::{Container, Engine};
use backends::policy::Limits;
use std::ffi::OsStr;

pub(super) fn streams(engine: Engine) {
    let place = Place::new();
    let confinement = Container::of(engine).prepare(&Place::policy(Limits::default())).unwrap();
    let mut command = place.command(
        "import sys\nprint(sys.argv[1:], sys.stdin.read())\nprint('bad', file=sys.stderr)\nsys.exit(7)",
    );
    command.arguments.extend(["--", "{run}", "a b\n$(x)'\""].map(Into::into));
    command.input = backends::command::Input::Fed;
    let mut child = confinement.launch(command).unwrap();
    // An engine could take these two for its own, as "detach".
    child.feed(b"\x10\x11given");
    child.close_input();
    let Completed { ended, output, error } = child.wait().unwrap();
    assert_eq!(ended.exit, Exit::Code(7));
    let output = String::from_utf8(output).unwrap();
    assert_eq!(output, "['--', '{run}', 'a b\\n$(x)\\'\"'] \x10\x11given\n");
    assert_eq!(error, b"bad\n");
    // A description is text: what is none is refused before anything runs.
    let mut command = place.command("open('ran', 'w')");
    let bytes = <OsStr as std::os::unix::ffi::OsStrExt>::from_bytes(b"\xff").to_owned();
    command.arguments.push(bytes);
    assert!(confinement.launch(command).is_err());
    assert!(!place.run().join("ran").exists());
}
