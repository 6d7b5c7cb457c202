//! The family `fs-write`.

family! {}
