//! Linux. State that each process has for itself. A copy of a process, made by fork(2), has a copy of its memory, and
//! with it each lock that another thread held in that moment, for ever. So a copy takes a lock of its own.

use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

/// The state of one process, and the way to that of its copies.
#[derive(Debug)]
pub(crate) struct PerProcess<T: 'static> {
    process: OnceLock<u32>,
    state: Mutex<T>,
    /// In a copy of the process, its own. It is never given back: there is one for each copy of a copy.
    of_copy: OnceLock<&'static PerProcess<T>>,
}

impl<T: Default> PerProcess<T> {
    pub(crate) const fn new(state: T) -> Self {
        Self { process: OnceLock::new(), state: Mutex::new(state), of_copy: OnceLock::new() }
    }

    /// That of this process, which begins as the default in a copy. What a thread that panicked left must be whole.
    pub(crate) fn lock(&'static self) -> MutexGuard<'static, T> {
        let this = std::process::id();
        let mut own = self;
        while *own.process.get_or_init(|| this) != this {
            own = own.of_copy.get_or_init(|| Box::leak(Box::new(Self::new(T::default()))));
        }
        own.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sys::in_a_copy;

    static STATE: PerProcess<Vec<u8>> = PerProcess::new(Vec::new());

    #[test]
    fn a_copy_has_a_state_of_its_own_also_while_that_of_its_parent_is_locked() {
        let mut ours = STATE.lock();
        ours.push(1);
        assert!(in_a_copy(|| {
            STATE.lock().push(2);
            // Nor does a copy of the copy meet it.
            *STATE.lock() == [2] && in_a_copy(|| STATE.lock().is_empty())
        }));
        assert_eq!(*ours, [1]);
    }
}
