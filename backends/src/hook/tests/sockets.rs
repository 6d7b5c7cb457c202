//! Attempts on the network and on local sockets.

use super::super::{Check, HookRules};
use super::{refused, refused_by};

fn without_sockets(rules: &mut HookRules) {
    assert!(rules.namespaces.remove("socket."));
    rules.arguments.retain(|event, _| !event.starts_with("socket."));
}

/// Permits every value at one position of the event that a new socket raises.
fn any_socket(rules: &mut HookRules, position: usize) {
    let socket = rules.arguments.get_mut("socket.__new__").unwrap();
    socket.retain(|rule| rule.position != position);
}

#[test]
fn no_connection_is_made_and_no_datagram_sent() {
    refused_by("import socket; socket.create_connection(('127.0.0.1', tcp))", without_sockets);
    refused_by("import socket; socket.socket().connect_ex(('127.0.0.1', tcp))", without_sockets);
    refused_by(
        "import _socket; _socket.socket(2, 1, 0).connect(('127.0.0.1', tcp))",
        without_sockets,
    );
    refused_by(
        "import socket; socket.socket(type=socket.SOCK_DGRAM).sendto(b'x', ('127.0.0.1', udp))",
        without_sockets,
    );
    refused_by(
        "import socket; socket.socket(type=socket.SOCK_DGRAM).sendmsg([b'x'], [], 0, ('127.0.0.1', udp))",
        without_sockets,
    );
    refused(
        "import urllib.request; urllib.request.urlopen('http://127.0.0.1:%d' % tcp, timeout=0.1)",
    );
}

#[test]
fn only_a_local_stream_socket_is_created() {
    let create =
        |arguments: &str| format!("import socket; socket.socket({arguments}); open('marker', 'w')");
    refused_by(&create("socket.AF_INET, socket.SOCK_STREAM"), |rules| any_socket(rules, 1));
    refused_by(&create("socket.AF_UNIX, socket.SOCK_DGRAM"), |rules| any_socket(rules, 2));
    refused_by("import _socket; _socket.socket(1, 1, 1); open('marker', 'w')", |rules| {
        any_socket(rules, 3)
    });
}

#[test]
fn a_local_socket_reaches_nobody() {
    let socket =
        |rest: &str| format!("import socket; local = socket.socket(socket.AF_UNIX); {rest}");
    refused_by(&socket("local.bind(outside + '/new')"), without_sockets);
    refused(&socket("local.connect_ex(outside + '/secret'); open('marker', 'w')"));
    let address = "try: local.sendmsg([b'x'], [], 0, outside + '/secret')\nexcept PermissionError: raise\nexcept OSError: open('marker', 'w')";
    refused_by(&socket(&format!("\n{address}")), |rules| {
        let message = &mut rules.arguments.get_mut("socket.sendmsg").unwrap()[0];
        assert!(matches!(message.check, Check::OneOf(_)));
        rules.arguments.get_mut("socket.sendmsg").unwrap().clear();
    });
}

#[test]
fn no_name_is_looked_up() {
    for call in [
        "getaddrinfo('localhost', 80)",
        "gethostbyname('localhost')",
        "getnameinfo(('127.0.0.1', 80), 0)",
    ] {
        refused_by(&format!("import socket; socket.{call}; open('marker', 'w')"), |rules| {
            assert!(rules.namespaces.remove("socket."));
        });
    }
}
