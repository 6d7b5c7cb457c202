//! The family `layer`.

family! {}
