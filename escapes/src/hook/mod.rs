//! Defeats of the Python audit hook. Each goes around what a hook sees; whatever it gains there, the
//! operating system must not give. They have no native form: there is no hook to defeat.

family! {
    state, interpreter, path, recursion, finaliser,
    readline, sqlite, tcl, spawn, descriptor, pickle,
    certificate,
}

macos! {
    state, interpreter, path, recursion, finaliser,
    readline, sqlite, tcl, spawn, descriptor, pickle,
    certificate,
}
