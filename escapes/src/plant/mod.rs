//! The family `plant`.

family! {}
