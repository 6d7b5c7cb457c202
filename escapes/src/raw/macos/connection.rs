//! macOS. A connection that is opened by the call that sends, connectx(2).

use std::io;
use std::net::SocketAddrV4;
use std::os::fd::{AsRawFd, BorrowedFd};
use std::ptr;

/// Opens a connection and sends the first bytes with it, by one call. Returns how many went.
///
/// # Errors
/// The errno of the call.
pub fn open(socket: BorrowedFd<'_>, to: SocketAddrV4, bytes: &[u8]) -> io::Result<usize> {
    let address = nix::sys::socket::SockaddrIn::from(to);
    let to = nix::sys::socket::SockaddrLike::as_ptr(&address);
    let endpoints = libc::sa_endpoints_t {
        sae_srcif: 0,
        sae_srcaddr: ptr::null(),
        sae_srcaddrlen: 0,
        sae_dstaddr: to,
        sae_dstaddrlen: nix::sys::socket::SockaddrLike::len(&address),
    };
    let part = libc::iovec { iov_base: bytes.as_ptr().cast_mut().cast(), iov_len: bytes.len() };
    let (number, any) = (socket.as_raw_fd(), libc::SAE_ASSOCID_ANY);
    let (flags, mut sent) = (libc::CONNECT_DATA_IDEMPOTENT, 0);
    // SAFETY: the address, the one part and what it leads to outlive the call, which reads them.
    let result = unsafe {
        libc::connectx(number, &endpoints, any, flags, &part, 1, &mut sent, ptr::null_mut())
    };
    if result == -1 { Err(io::Error::last_os_error()) } else { Ok(sent) }
}
