//! The family `hook`.

family! {}
