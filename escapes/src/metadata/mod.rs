//! The family `metadata`.

family! {}
