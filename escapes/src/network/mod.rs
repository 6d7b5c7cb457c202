//! The family `network`.

family! {}
