//! The family `kernel`.

family! {}
