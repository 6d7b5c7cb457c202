//! The family `exec`.

family! {}
