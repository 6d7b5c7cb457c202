//! Linux. Whether standard output was open when this process began. Rust's runtime opens `/dev/null` in
//! the place of a closed stream before `main`, and what is written there is lost without an error. The
//! answer must therefore be taken earlier: the loader calls the functions of `.init_array` first.

use std::sync::atomic::{AtomicBool, Ordering};

static CLOSED: AtomicBool = AtomicBool::new(false);

/// What the loader calls. It passes arguments, which a C function without parameters ignores.
#[used]
#[unsafe(link_section = ".init_array")]
static LOOK: extern "C" fn() = look;

extern "C" fn look() {
    // SAFETY: F_GETFD takes no third argument and asks for a number only, whatever it leads to.
    let flags = unsafe { libc::fcntl(libc::STDOUT_FILENO, libc::F_GETFD) };
    CLOSED.store(flags == -1, Ordering::Relaxed);
}

/// Whether standard output was closed when this process began.
pub fn output_was_closed() -> bool {
    CLOSED.load(Ordering::Relaxed)
}
