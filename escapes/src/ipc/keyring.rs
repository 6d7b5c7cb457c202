//! The kernel's keyrings: the calls, and decoys in the user keyring, which every process of the user
//! shares. No namespace and no rule on files covers them (keyrings(7)).

use crate::raw;
use fixtures::decoy::{Decoy, Evidence, EvidenceKind, Placed, Site};
use std::ffi::{CStr, CString, OsString};
use std::io;

/// `KEY_SPEC_USER_KEYRING`.
pub(super) const USER: i64 = -4;

const KIND: &CStr = c"user";

/// The operations of keyctl(2) that are used here.
#[derive(Clone, Copy)]
pub(super) enum Operation {
    Update = 2,
    Revoke = 3,
    SetPermissions = 5,
    Unlink = 9,
    Search = 10,
    Read = 11,
}

/// keyctl(2).
pub(super) fn keyctl(operation: Operation, arguments: [usize; 4]) -> io::Result<i64> {
    let [first, second, third, fourth] = arguments;
    raw::call(libc::SYS_keyctl, [operation as usize, first, second, third, fourth, 0])
}

/// add_key(2) to the user keyring. Returns the serial number.
pub(super) fn add(description: &CStr, payload: &[u8]) -> io::Result<i64> {
    let (kind, description) = (KIND.as_ptr() as usize, description.as_ptr() as usize);
    let (address, length) = (payload.as_ptr() as usize, payload.len());
    raw::call(libc::SYS_add_key, [kind, description, address, length, USER as usize, 0])
}

/// request_key(2) without a helper.
pub(super) fn request(description: &CStr) -> io::Result<i64> {
    let (kind, description) = (KIND.as_ptr() as usize, description.as_ptr() as usize);
    raw::call(libc::SYS_request_key, [kind, description, 0, 0, 0, 0])
}

/// Finds a key in the user keyring.
pub(super) fn search(description: &CStr) -> io::Result<i64> {
    let (kind, description) = (KIND.as_ptr() as usize, description.as_ptr() as usize);
    keyctl(Operation::Search, [USER as usize, kind, description, 0])
}

/// The payload of a key, or of a keyring its members' serial numbers.
pub(super) fn read(serial: i64) -> io::Result<Vec<u8>> {
    let mut payload = vec![0; 4096];
    let (address, length) = (payload.as_mut_ptr() as usize, payload.len());
    let length = keyctl(Operation::Read, [serial as usize, address, length, 0])?;
    payload.truncate(length as usize);
    Ok(payload)
}

/// How the decoys of a trial are described.
pub(super) fn description(nonce: &str) -> io::Result<CString> {
    Ok(CString::new(format!("escapology:{nonce}"))?)
}

/// A key outside whose payload is the token.
#[derive(Debug)]
pub(crate) struct Key;

/// A description under which there is no key yet.
#[derive(Debug)]
pub(super) struct FreeDescription;

impl Decoy for Key {
    fn place(&self, site: &Site<'_>) -> io::Result<Box<dyn Placed>> {
        /// The possessor and the user may do everything, as `keyctl new_session` setups have it:
        /// then it does not matter which session keyring the program was born with.
        const PERMISSIONS: usize = 0x3f3f_0000;
        let description = description(site.nonce)?;
        let serial = add(&description, site.token.as_bytes())?;
        let placed = PlacedKey { description, serial, holds: Some(site.token.into()) };
        keyctl(Operation::SetPermissions, [serial as usize, PERMISSIONS, 0, 0])?;
        Ok(Box::new(placed))
    }
}

impl Decoy for FreeDescription {
    fn place(&self, site: &Site<'_>) -> io::Result<Box<dyn Placed>> {
        Ok(Box::new(PlacedKey { description: description(site.nonce)?, serial: 0, holds: None }))
    }
}

#[derive(Debug)]
struct PlacedKey {
    description: CString,
    serial: i64,
    /// The token, or nothing if there is no key.
    holds: Option<String>,
}

impl PlacedKey {
    /// The payload of the key with this description, if there is one.
    fn content(&self) -> io::Result<Option<Vec<u8>>> {
        match search(&self.description).and_then(read) {
            Ok(payload) => Ok(Some(payload)),
            Err(error) => match error.raw_os_error() {
                Some(libc::ENOKEY | libc::EKEYREVOKED | libc::EKEYEXPIRED) => Ok(None),
                _other => Err(error),
            },
        }
    }
}

impl Placed for PlacedKey {
    fn clues(&self) -> Vec<(&'static str, OsString)> {
        let mut clues = vec![("key", self.description.to_string_lossy().into_owned().into())];
        if self.holds.is_some() {
            clues.push(("key-serial", self.serial.to_string().into()));
        }
        clues
    }

    fn observe(&mut self) -> io::Result<Vec<Evidence>> {
        let change = match (&self.holds, self.content()?) {
            (None, None) => None,
            (None, Some(_)) => Some("was left"),
            (Some(_), None) => Some("was taken away"),
            (Some(token), Some(content)) => (content != token.as_bytes()).then_some("was changed"),
        };
        let evidence = |change| Evidence {
            kind: EvidenceKind::ObjectChanged,
            detail: format!("key {:?} {change}", self.description),
        };
        Ok(change.map(evidence).into_iter().collect())
    }

    fn sweep(&mut self) -> Vec<String> {
        let serial = if self.holds.is_some() { Ok(self.serial) } else { search(&self.description) };
        let unlinked = serial
            .and_then(|serial| keyctl(Operation::Unlink, [serial as usize, USER as usize, 0, 0]));
        match unlinked.err().and_then(|error| error.raw_os_error()) {
            None | Some(libc::ENOKEY | libc::ENOENT) => Vec::new(),
            Some(errno) => vec![format!("key {:?}: errno {errno}", self.description)],
        }
    }
}
