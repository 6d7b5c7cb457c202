//! What a program in a container has, and what it has not.

use crate::place::{ACTS, Place, needed, text};
use backends::backend::Backend;
use backends::child::Exit;
use backends::container::{Container, Engine};
use backends::launch::LaunchError;
use backends::policy::{Limits, Policy};
use std::fs;
use std::net::TcpListener;

pub(super) fn files(engine: Engine) {
    let place = Place::new();
    let secret = place.secret();
    let program = format!(
        "import os{ACTS}
act('read', lambda: open({secret:?}).read())
act('list', lambda: sorted(os.listdir({base:?})))
act('write', lambda: open({secret:?}, 'w').write('x'))
act('root', lambda: open('/new', 'w').write('x'))
act('device', lambda: open('/dev/new', 'w').write('x'))
act('system', lambda: open(os.__file__, 'a'))
act('null', lambda: open('/dev/null', 'w').write('x'))
act('own', lambda: open('own', 'w').write('mine'))",
        base = place.base(),
    );
    let said = text(&place.completed(&Container::of(engine), &program));
    let wanted = "read FileNotFoundError\nlist ['run']\nwrite OSError\nroot OSError\n\
                  device OSError\nsystem OSError\nnull 1\nown 4\n";
    // An ordinary user may not write it anyway, and is told that first.
    assert_eq!(said.replace("system PermissionError", "system OSError"), wanted);
    assert_eq!(fs::read_to_string(place.run().join("own")).unwrap(), "mine");
    assert_eq!(fs::read_to_string(&secret).unwrap(), "token");
    // Bare, the same program gets all of it.
    let bare = text(&place.completed(&backends::none::none(), &program));
    assert!(bare.starts_with("read token\nlist ['run', 'secret']\nwrite 1\n"), "{bare}");
    // As root it could make these two: leave nothing.
    for made in ["/new", "/dev/new"] {
        let _not_made = fs::remove_file(made);
    }
}

pub(super) fn surface(engine: Engine) {
    let place = Place::new();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.set_nonblocking(true).unwrap();
    let port = listener.local_addr().unwrap().port();
    let program = format!(
        "import ctypes, os, socket{ACTS}
libc = ctypes.CDLL(None, use_errno=True)
act('connect', lambda: socket.create_connection(('127.0.0.1', {port}), 5))
act('fork', os.fork)
act('pid', os.getpid)
act('privileges', lambda: libc.prctl(39, 0, 0, 0, 0))
act('capability', lambda: [libc.prctl(23, number, 0, 0, 0) for number in range(38)].count(1))
act('host', lambda: os.uname().nodename)
act('inherited', lambda: [number for number in range(3, 64) if libc.fcntl(number, 1) >= 0])
act('environment', lambda: sorted(os.environ))"
    );
    let said = text(&place.completed(&Container::of(engine), &program));
    assert!(said.starts_with("connect PermissionError\nfork PermissionError\npid 1\n"), "{said}");
    assert!(said.contains("host container\n"), "{said}");
    assert!(!said.contains("CARGO"), "{said}");
    assert!(listener.accept().is_err());
    let control = program.replace("act('fork', os.fork)", "");
    let bare = text(&place.completed(&backends::none::none(), &control));
    assert!(bare.starts_with("connect <socket"), "{bare}");
    assert!(listener.accept().is_ok());
}

pub(super) fn swapped(engine: Engine) {
    let place = Place::new();
    let granted = place.base().join("granted");
    fs::create_dir(&granted).unwrap();
    let policy = needed(Policy::builder().read(&granted).unwrap());
    let confinement = Container::of(engine).prepare(&policy).unwrap();
    let ran = place.run().join("ran");
    let launch = || confinement.launch(place.command("open('ran', 'w')"));
    assert_eq!(launch().unwrap().wait().unwrap().ended.exit, Exit::Code(0));
    fs::remove_file(&ran).unwrap();
    fs::rename(&granted, place.base().join("before")).unwrap();
    fs::create_dir(&granted).unwrap();
    assert!(matches!(launch(), Err(LaunchError::Unavailable(_))));
    assert!(!ran.exists());
}

/// Where engines keep things on a host, unless they are told another place.
const ELSEWHERE: [&str; 6] = [
    "/run/crun",
    "/run/runc",
    "/run/libpod",
    "/run/containers",
    "/var/lib/containers",
    "/etc/cni/net.d/cni.lock",
];

pub(super) fn kept(engine: Engine) {
    let place = Place::new();
    let bundle = place.base().join("bundle");
    let confinement = Container::of(engine).prepare(&Place::policy(Limits::default())).unwrap();
    let there = || ELSEWHERE.map(|path| fs::symlink_metadata(path).is_ok());
    let before = there();
    let mut command = place.command("");
    command.bundle = Some(bundle.clone());
    assert_eq!(confinement.launch(command).unwrap().wait().unwrap().ended.exit, Exit::Code(0));
    assert_eq!(there(), before);
    let state = match engine {
        Engine::Direct(_) => "state",
        Engine::Podman(runtime) => runtime.name(),
    };
    assert!(bundle.join(state).is_dir());
}
