//! The family `ipc`.

family! {}
