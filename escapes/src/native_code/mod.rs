//! The family `native-code`.

family! {}
