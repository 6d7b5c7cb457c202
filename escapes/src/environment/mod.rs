//! The family `environment`.

family! {}
