//! Ask a service outside to start the program: it runs there with the service's rights and outside every
//! sandbox of the caller. Each request is what the real service would be sent.

use crate::network::service;
#[cfg(target_os = "linux")]
use fixtures::watch::abstract_name::ABSTRACT_STREAM;
use fixtures::watch::unix::UNIX_STREAM;
use harness::escape::{Escape, Layer};
use harness::twin::Twin;

const ASK: Escape = Escape {
    techniques: &["EX-HELPERDAEMON"],
    decoys: &[UNIX_STREAM],
    stops: &[Layer::Seccomp, Layer::MountNamespace, Layer::Seatbelt, Layer::Hook],
    twin: Twin::SocketPair,
    ..Escape::BLANK
};

pub(super) const ESCAPES: &[Escape] = &[
    Escape {
        id: "exec/helper-daemon",
        summary: "Ask a container engine for a container that holds the whole disk",
        references: &[
            "https://attack.mitre.org/techniques/T1610/",
            "https://docs.docker.com/engine/security/protect-access/",
        ],
        witnesses: &["seccomp/connect", "seccomp/socket", "hook/socket.*"],
        native: Some(|scene| service::tell(service::at_path(scene)?, ENGINE)),
        python: Some(include_str!("helper_daemon.py")),
        ..ASK
    },
    Escape {
        id: "exec/helper-daemon.bus",
        summary: "Log in to a message bus, to have the service manager start a unit",
        references: &[
            "https://dbus.freedesktop.org/doc/dbus-specification.html",
            "https://github.com/Zouuup/landrun/issues/43",
        ],
        witnesses: &["seccomp/connect", "seccomp/socket"],
        native: Some(|scene| service::tell(service::at_path(scene)?, BUS)),
        ..ASK
    },
    Escape {
        id: "exec/helper-daemon.agent",
        summary: "Ask an agent for the keys that it holds, to log in somewhere else",
        references: &[
            "https://datatracker.ietf.org/doc/html/draft-ietf-sshm-ssh-agent",
            "https://attack.mitre.org/techniques/T1563/001/",
        ],
        witnesses: &["seccomp/connect", "seccomp/socket"],
        native: Some(|scene| service::tell(service::at_path(scene)?, AGENT)),
        ..ASK
    },
    #[cfg(target_os = "linux")]
    Escape {
        id: "exec/helper-daemon.abstract",
        summary: "Log in to a message bus that has a name and no path",
        references: &["https://dbus.freedesktop.org/doc/dbus-specification.html", "CVE-2020-15257"],
        decoys: &[ABSTRACT_STREAM],
        stops: &[Layer::Landlock, Layer::Seccomp, Layer::OtherNamespace, Layer::Hook],
        witnesses: &["landlock/scope-abstract-unix-socket", "seccomp/connect", "seccomp/socket"],
        native: Some(|scene| service::tell(service::by_name(scene)?, BUS)),
        ..ASK
    },
];

/// `POST /containers/create` of the engine's API.
const ENGINE: &[u8] = b"POST /containers/create HTTP/1.1\r\nHost: engine\r\n\
    Content-Type: application/json\r\nContent-Length: 61\r\n\r\n\
    {\"Image\":\"decoy\",\"HostConfig\":{\"Binds\":[\"/:/host\"]},\"Cmd\":[]}";

/// The first line of a client: a zero byte that carries credentials, and the way to authenticate.
const BUS: &[u8] = b"\0AUTH EXTERNAL\r\n";

/// `SSH_AGENTC_REQUEST_IDENTITIES` (11) in a message of one byte.
const AGENT: &[u8] = &[0, 0, 0, 1, 11];
