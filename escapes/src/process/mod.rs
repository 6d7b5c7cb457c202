//! The family `process`.

family! {}
