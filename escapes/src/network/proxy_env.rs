//! Follow an address of the environment to a broker of the host: the program has to know nothing but
//! the usual names of variables.

use super::service::ask;
use fixtures::watch::tcp::TCP4;
use fixtures::watch::unix::UNIX_STREAM;
use harness::escape::{Escape, Layer};
use harness::scene::Scene;
use harness::twin::Twin;
use std::env;
use std::io;
use std::net::TcpStream;
use std::os::unix::net::UnixStream;

const FOLLOW: Escape = Escape {
    techniques: &["NT-PROXYENV"],
    references: &[
        "CWE-526",
        "https://github.com/anthropic-experimental/sandbox-runtime/issues/343",
        "https://attack.mitre.org/techniques/T1090/001/",
    ],
    silent: Some("without the variable there is nothing to follow, and nothing is called"),
    twin: Twin::SocketPair,
    ..Escape::BLANK
};

pub(super) const ESCAPES: &[Escape] = &[
    Escape {
        id: "network/proxy-env",
        summary: "Connect to the proxy that the environment names",
        decoys: &[TCP4],
        stops: &[
            Layer::Hygiene,
            Layer::Landlock,
            Layer::Seccomp,
            Layer::OtherNamespace,
            Layer::Seatbelt,
            Layer::Hook,
        ],
        witnesses: &[
            "hygiene/environment",
            "landlock/connect-tcp",
            "seccomp/connect",
            "seccomp/socket",
        ],
        native: Some(proxy),
        python: Some(include_str!("proxy_env.py")),
        ..FOLLOW
    },
    Escape {
        id: "network/proxy-env.agent",
        summary: "Connect to the agent of keys that the environment names",
        decoys: &[UNIX_STREAM],
        stops: &[
            Layer::Hygiene,
            Layer::Seccomp,
            Layer::MountNamespace,
            Layer::Seatbelt,
            Layer::Hook,
        ],
        witnesses: &["hygiene/environment", "seccomp/connect", "seccomp/socket"],
        native: Some(agent),
        python: Some(include_str!("proxy_env.agent.py")),
        ..FOLLOW
    },
];

fn proxy(_scene: &Scene) -> io::Result<Vec<u8>> {
    let Some(proxy) = env::var_os("http_proxy") else { return Ok(Vec::new()) };
    let proxy = proxy.to_string_lossy();
    let address = proxy.rsplit('@').next().unwrap_or_default().trim_end_matches('/');
    ask(TcpStream::connect(address)?)
}

fn agent(_scene: &Scene) -> io::Result<Vec<u8>> {
    let Some(agent) = env::var_os("SSH_AUTH_SOCK") else { return Ok(Vec::new()) };
    ask(UnixStream::connect(agent)?)
}
