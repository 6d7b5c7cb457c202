//! Starting another process, or becoming another program.

mod marker;

family! { fork, vfork, clone, clone3 }
