//! Sockets: what leaves or enters this host, and what stays on it.

mod answer;
pub(crate) mod service;
#[cfg(target_os = "linux")]
mod transport;
#[cfg(target_os = "linux")]
mod wire;

family! {
    tcp_connect, tcp_bind, tcp_fast_open, alternative,
    udp, udp_bind, dns, squat_port,
    unix_path, unix_datagram, socketpair_datagram, unix_abstract, unix_serve,
    raw_packet, netlink, vsock, exotic, io_uring_socket, inherited_socket, proxy_env,
}

macos! {
    tcp_connect, tcp_bind, udp, udp_bind, dns, squat_port,
    unix_path, unix_datagram, socketpair_datagram, unix_serve,
    inherited_socket, proxy_env,
}
