//! macOS. Services of the system: looked up by name, told something, asked for names on this host alone.

use std::ffi::{CStr, c_char, c_void};
use std::io;
use std::os::fd::BorrowedFd;
use std::ptr;
use std::time::{Duration, Instant};

/// Looks up a service as any program does.
///
/// # Errors
/// `EPERM` for `BOOTSTRAP_NOT_PRIVILEGED` (servers/bootstrap.h), which is a sandbox's denial; else the
/// code of the call.
pub fn look_up(name: &CStr) -> io::Result<()> {
    const NOT_PRIVILEGED: i32 = 1100;
    // SAFETY: the C library sets the port before a program begins and this one does not change it.
    let bootstrap = unsafe { bootstrap_port };
    let mut port = 0;
    // SAFETY: the name ends in a zero byte, the port is written; both outlive the call.
    match unsafe { bootstrap_look_up(bootstrap, name.as_ptr(), &mut port) } {
        0 => Ok(()),
        NOT_PRIVILEGED => Err(io::Error::from_raw_os_error(libc::EPERM)),
        code => Err(io::Error::other(format!("bootstrap_look_up: {code}"))),
    }
}

fn notified(call: &str, status: u32) -> io::Result<()> {
    if status == 0 { Ok(()) } else { Err(io::Error::other(format!("{call}: {status}"))) }
}

/// Posts a notification, notify(3).
///
/// # Errors
/// The status of the call.
pub fn post(name: &CStr) -> io::Result<()> {
    // SAFETY: the name ends in a zero byte and outlives the call.
    notified("notify_post", unsafe { notify_post(name.as_ptr()) })
}

/// Somebody who hears of a notification.
#[derive(Debug)]
pub struct Listener(i32);

impl Listener {
    /// Begins to listen for a name.
    ///
    /// # Errors
    /// The status of the call.
    pub fn begin(name: &CStr) -> io::Result<Self> {
        let mut token = 0;
        // SAFETY: the name ends in a zero byte, the token is written; both outlive the call.
        let status = unsafe { notify_register_check(name.as_ptr(), &mut token) };
        notified("notify_register_check", status)?;
        let listener = Self(token);
        // The first answer is always yes.
        listener.heard()?;
        Ok(listener)
    }

    /// Whether it was posted since the last time.
    ///
    /// # Errors
    /// The status of the call.
    pub fn heard(&self) -> io::Result<bool> {
        let mut heard = 0;
        // SAFETY: the token is registered; the answer outlives the call.
        notified("notify_check", unsafe { notify_check(self.0, &mut heard) })?;
        Ok(heard != 0)
    }
}

impl Drop for Listener {
    fn drop(&mut self) {
        // SAFETY: the token is registered, and this is its only owner.
        unsafe { notify_cancel(self.0) };
    }
}

/// `kDNSServiceInterfaceIndexLocalOnly` (dns_sd.h): the name stays on this host and is never sent.
const LOCAL_ONLY: u32 = u32::MAX;

/// An exchange with the name service, until it is dropped.
#[derive(Debug)]
pub struct Names(*mut c_void);

// SAFETY: a reference of the name service may be used by any thread, one at a time.
unsafe impl Send for Names {}

fn named(call: &str, code: i32) -> io::Result<()> {
    if code == 0 { Ok(()) } else { Err(io::Error::other(format!("{call}: {code}"))) }
}

impl Names {
    /// Announces a name of a kind of service, such as `_kind._udp`, on this host alone.
    ///
    /// # Errors
    /// The code of the call.
    pub fn announce(name: &CStr, kind: &CStr) -> io::Result<Self> {
        let mut reference = ptr::null_mut();
        let (host, domain, record) = (ptr::null(), c"local.".as_ptr(), ptr::null());
        let (name, kind, port) = (name.as_ptr(), kind.as_ptr(), 9_u16.to_be());
        // SAFETY: the strings end in a zero byte and outlive the call; no record, callback or context.
        let code = unsafe {
            DNSServiceRegister(
                &mut reference,
                0,
                LOCAL_ONLY,
                name,
                kind,
                domain,
                host,
                port,
                0,
                record,
                None,
                ptr::null_mut(),
            )
        };
        named("DNSServiceRegister", code)?;
        Ok(Self(reference))
    }

    /// The names of a kind of service on this host, each ended by a line; the first is waited for.
    ///
    /// # Errors
    /// The code of the call.
    pub fn of(kind: &CStr, patience: Duration) -> io::Result<Vec<u8>> {
        let mut found: Vec<u8> = Vec::new();
        let (mut reference, domain) = (ptr::null_mut(), c"local.".as_ptr());
        let context = (&raw mut found).cast();
        // SAFETY: the strings end in a zero byte and outlive the call; the context outlives the exchange.
        let code = unsafe {
            DNSServiceBrowse(&mut reference, 0, LOCAL_ONLY, kind.as_ptr(), domain, note, context)
        };
        named("DNSServiceBrowse", code)?;
        let names = Self(reference);
        let deadline = Instant::now() + patience;
        while names.wait(deadline)? {
            // SAFETY: the exchange is open, and what it calls gets the context from above.
            named("DNSServiceProcessResult", unsafe { DNSServiceProcessResult(names.0) })?;
            // SAFETY: nobody else uses the vector while no result is processed.
            if !unsafe { &*context.cast::<Vec<u8>>() }.is_empty() {
                break;
            }
        }
        drop(names);
        Ok(found)
    }

    /// Whether an answer is there before a moment.
    fn wait(&self, deadline: Instant) -> io::Result<bool> {
        use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
        // SAFETY: the exchange is open.
        let number = unsafe { DNSServiceRefSockFD(self.0) };
        // SAFETY: the descriptor is the exchange's and stays open as long as it.
        let socket = unsafe { BorrowedFd::borrow_raw(number) };
        let left = deadline.saturating_duration_since(Instant::now());
        let timeout = PollTimeout::try_from(left).map_err(io::Error::other)?;
        Ok(poll(&mut [PollFd::new(socket, PollFlags::POLLIN)], timeout)? > 0)
    }
}

impl Drop for Names {
    fn drop(&mut self) {
        // SAFETY: the exchange is open, and this is its only owner.
        unsafe { DNSServiceRefDeallocate(self.0) };
    }
}

type Reply = unsafe extern "C" fn(
    *mut c_void,
    u32,
    u32,
    i32,
    *const c_char,
    *const c_char,
    *const c_char,
    *mut c_void,
);

/// Takes a name down.
unsafe extern "C" fn note(
    _reference: *mut c_void,
    _flags: u32,
    _interface: u32,
    error: i32,
    name: *const c_char,
    _kind: *const c_char,
    _domain: *const c_char,
    context: *mut c_void,
) {
    if error == 0 {
        // SAFETY: the service gives a string that ends in a zero byte.
        let name = unsafe { CStr::from_ptr(name) };
        // SAFETY: the context is the vector that was given when the exchange began.
        let found = unsafe { &mut *context.cast::<Vec<u8>>() };
        found.extend(name.to_bytes());
        found.push(b'\n');
    }
}

// servers/bootstrap.h, notify.h and dns_sd.h: parts of the C library that the `libc` crate has not.
unsafe extern "C" {
    static bootstrap_port: u32;
    fn bootstrap_look_up(bootstrap: u32, name: *const c_char, port: *mut u32) -> i32;
    fn notify_post(name: *const c_char) -> u32;
    fn notify_register_check(name: *const c_char, token: *mut i32) -> u32;
    fn notify_check(token: i32, heard: *mut i32) -> u32;
    fn notify_cancel(token: i32) -> u32;
    fn DNSServiceRegister(
        reference: *mut *mut c_void,
        flags: u32,
        interface: u32,
        name: *const c_char,
        kind: *const c_char,
        domain: *const c_char,
        host: *const c_char,
        port: u16,
        length: u16,
        record: *const c_void,
        callback: Option<Reply>,
        context: *mut c_void,
    ) -> i32;
    fn DNSServiceBrowse(
        reference: *mut *mut c_void,
        flags: u32,
        interface: u32,
        kind: *const c_char,
        domain: *const c_char,
        callback: Reply,
        context: *mut c_void,
    ) -> i32;
    fn DNSServiceRefSockFD(reference: *mut c_void) -> i32;
    fn DNSServiceProcessResult(reference: *mut c_void) -> i32;
    fn DNSServiceRefDeallocate(reference: *mut c_void);
}
