//! Calls that reach listeners outside, and sockets that should not be had at all.

use super::Argument::{Address, Choice, Descriptor, Fixed as Given};
use super::{BUFFER, Call, Fixed, Gives, NONE, Role, SENT, Shows, Special, constant};
use libc::*;

type Argument = super::Argument;

const FAMILY: Argument = Choice(&[
    ("inet", AF_INET as i64),
    ("inet6", AF_INET6 as i64),
    ("unix", AF_UNIX as i64),
    ("netlink", AF_NETLINK as i64),
    ("packet", AF_PACKET as i64),
    ("vsock", AF_VSOCK as i64),
    ("alg", AF_ALG as i64),
]);
const KIND: Argument = Choice(&[
    ("stream", (SOCK_STREAM | SOCK_CLOEXEC) as i64),
    ("datagram", (SOCK_DGRAM | SOCK_CLOEXEC) as i64),
    ("seqpacket", (SOCK_SEQPACKET | SOCK_CLOEXEC) as i64),
    ("raw", (SOCK_RAW | SOCK_CLOEXEC) as i64),
]);
const QUIET: Argument = constant(MSG_NOSIGNAL as i64);
const FAST: Argument =
    Choice(&[("quiet", MSG_NOSIGNAL as i64), ("fast-open", (MSG_NOSIGNAL | MSG_FASTOPEN) as i64)]);
const LENGTH_OF_IT: Argument = Given(Fixed::AddressLength);

const fn reach(name: &'static str, number: i64, arguments: &'static [Argument]) -> Call {
    Call::act(name, number, arguments).role(Role::Chained)
}

pub(super) const CALLS: &[Call] = &[
    Call::act("socket", SYS_socket, &[FAMILY, KIND, NONE])
        .gives(Gives::Descriptor)
        .shows(Shows::Socket),
    Call::act("socketpair", SYS_socketpair, &[KIND])
        .gives(Gives::Special(Special::Pair))
        .role(Role::Chained),
    reach("connect", SYS_connect, &[Descriptor, Address, LENGTH_OF_IT]),
    reach("sendto", SYS_sendto, &[Descriptor, BUFFER, SENT, FAST, Address, LENGTH_OF_IT]),
    reach("sendmsg", SYS_sendmsg, &[Descriptor, Address, Given(Fixed::Message), QUIET]),
    reach("bind", SYS_bind, &[Descriptor, Address, LENGTH_OF_IT]),
];

/// The family and kind of socket that fits a listener.
pub(in crate::search) const FITTING: &[(&str, &str, &str)] = &[
    ("tcp4", "inet", "stream"),
    ("tcp6", "inet6", "stream"),
    ("udp4", "inet", "datagram"),
    ("udp6", "inet6", "datagram"),
    ("unix-stream", "unix", "stream"),
    ("unix-datagram", "unix", "datagram"),
    ("unix-seqpacket", "unix", "seqpacket"),
    ("abstract-stream", "unix", "stream"),
    ("abstract-datagram", "unix", "datagram"),
];
