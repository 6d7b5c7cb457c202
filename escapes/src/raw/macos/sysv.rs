//! macOS. System V IPC by the functions of the C library: here it has no public numbers of calls.

use std::io;

fn answer(result: i32) -> io::Result<i32> {
    if result == -1 { Err(io::Error::last_os_error()) } else { Ok(result) }
}

/// The identifier of a shared memory segment, shmget(2).
///
/// # Errors
/// The errno of the call.
pub fn memory(key: i32, length: usize, flags: i32) -> io::Result<i32> {
    // SAFETY: the call takes numbers only.
    answer(unsafe { libc::shmget(key, length, flags) })
}

/// The identifier of a message queue, msgget(2).
///
/// # Errors
/// The errno of the call.
pub fn queue(key: i32, flags: i32) -> io::Result<i32> {
    // SAFETY: the call takes numbers only.
    answer(unsafe { msgget(key, flags) })
}

/// The identifier of a set of one semaphore, semget(2).
///
/// # Errors
/// The errno of the call.
pub fn semaphore(key: i32, flags: i32) -> io::Result<i32> {
    // SAFETY: the call takes numbers only.
    answer(unsafe { libc::semget(key, 1, flags) })
}

/// Removes a shared memory segment.
///
/// # Errors
/// The errno of shmctl(2).
pub fn remove_memory(identifier: i32) -> io::Result<()> {
    // SAFETY: this command looks at no buffer.
    answer(unsafe { libc::shmctl(identifier, libc::IPC_RMID, std::ptr::null_mut()) }).map(|_| ())
}

/// Removes a message queue.
///
/// # Errors
/// The errno of msgctl(2).
pub fn remove_queue(identifier: i32) -> io::Result<()> {
    // SAFETY: this command looks at no buffer.
    answer(unsafe { msgctl(identifier, libc::IPC_RMID, std::ptr::null_mut()) }).map(|_| ())
}

/// Removes a set of semaphores.
///
/// # Errors
/// The errno of semctl(2).
pub fn remove_semaphore(identifier: i32) -> io::Result<()> {
    // SAFETY: this command takes no fourth argument.
    answer(unsafe { libc::semctl(identifier, 0, libc::IPC_RMID) }).map(|_| ())
}

/// Sets the value of the semaphore.
///
/// # Errors
/// The errno of semctl(2).
pub fn set_value(identifier: i32, value: i32) -> io::Result<()> {
    // SAFETY: the fourth argument of this command is a number.
    answer(unsafe { libc::semctl(identifier, 0, libc::SETVAL, value) }).map(|_| ())
}

/// The value of the semaphore.
///
/// # Errors
/// The errno of semctl(2).
pub fn value(identifier: i32) -> io::Result<i32> {
    // SAFETY: this command takes no fourth argument.
    answer(unsafe { libc::semctl(identifier, 0, libc::GETVAL) })
}

/// The type of a message, a word, stands before its bytes.
const HEAD: usize = size_of::<libc::c_long>();

/// Sends a message without waiting, msgsnd(2).
///
/// # Errors
/// The errno of the call.
pub fn send(identifier: i32, bytes: &[u8]) -> io::Result<()> {
    let kind: libc::c_long = 1;
    let message = [&kind.to_ne_bytes(), bytes].concat();
    // SAFETY: the message is a word and as many bytes as its length says.
    answer(unsafe { msgsnd(identifier, message.as_ptr().cast(), bytes.len(), libc::IPC_NOWAIT) })
        .map(|_| ())
}

/// Takes the oldest message, of `room` bytes at most, without waiting, msgrcv(2).
///
/// # Errors
/// The errno of the call.
pub fn receive(identifier: i32, room: usize) -> io::Result<Vec<u8>> {
    let mut message = vec![0_u8; HEAD + room];
    let place = message.as_mut_ptr().cast();
    // SAFETY: the buffer is a word and as many bytes as its length says.
    let length = unsafe { msgrcv(identifier, place, room, 0, libc::IPC_NOWAIT) };
    if length == -1 {
        return Err(io::Error::last_os_error());
    }
    message.truncate(HEAD + usize::try_from(length).unwrap_or(0));
    Ok(message.split_off(HEAD))
}

// The `libc` crate has no queues of macOS: sys/msg.h.
unsafe extern "C" {
    fn msgget(key: libc::key_t, flags: libc::c_int) -> libc::c_int;
    fn msgctl(
        identifier: libc::c_int,
        command: libc::c_int,
        buffer: *mut libc::c_void,
    ) -> libc::c_int;
    fn msgsnd(
        identifier: libc::c_int,
        message: *const libc::c_void,
        length: libc::size_t,
        flags: libc::c_int,
    ) -> libc::c_int;
    fn msgrcv(
        identifier: libc::c_int,
        message: *mut libc::c_void,
        length: libc::size_t,
        kind: libc::c_long,
        flags: libc::c_int,
    ) -> libc::ssize_t;
}
